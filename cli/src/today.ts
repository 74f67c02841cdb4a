import { deviceZone } from '@deeb/core/focus/device-zone'
import { goalMinutesOn, HOME_DEFAULT_GOAL_MINUTES } from '@deeb/core/goals/week-of-goals'
import { readHome } from '@deeb/core/home/api'
import { dailyStatus, percentOf } from '@deeb/core/stats/status'
import { trackedSeconds, wholeMinutes } from '@deeb/core/stats/week'
import * as z from 'zod'
import { call, type Login } from './api.ts'

export const TODAY = {
  date: z.string(),
  minutes: z.int(),
  goalMinutes: z.int(),
  percentOfGoal: z.int().nullable(),
  status: z.string(),
  inDeebMode: z.boolean(),
}

/** The figures of the home screen. */
export async function readToday(login: Login) {
  const { today, openSession, goals, serverTime } = await call(login, readHome, deviceZone(new Date()))
  const minutes = wholeMinutes(trackedSeconds(today, openSession, new Date(serverTime)))
  const goalMinutes = goalMinutesOn(goals, today.dayOfWeek, HOME_DEFAULT_GOAL_MINUTES)
  return {
    date: today.date,
    minutes,
    goalMinutes,
    percentOfGoal: percentOf(minutes, goalMinutes),
    status: dailyStatus(minutes, goalMinutes),
    inDeebMode: openSession !== null,
  }
}
