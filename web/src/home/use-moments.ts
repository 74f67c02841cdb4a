import type { FocusSession } from '@deeb/core/focus/api'
import { useEffect, useState } from 'react'
import { onSwitchedOff } from '../focus/use-switch-focus.ts'
import { haptic } from '../ui/haptic.ts'

/** The seconds of the session that a press on this page has ended, until the next session. */
export function useEndedSeconds(openSession: FocusSession | null): number | null {
  const [seconds, setSeconds] = useState<number | null>(null)
  useEffect(() => onSwitchedOff(setSeconds), [])
  const openId = openSession?.id
  useEffect(() => {
    if (openId !== undefined) setSeconds(null)
  }, [openId])
  return openSession ? null : seconds
}

interface Day {
  date: string
  goalMinutes: number
  isReached: boolean
}

/** Whether the running session has reached the day's goal while this page was shown. Vibrates once. */
export function useGoalReached(day: Day, isOn: boolean): boolean {
  const [last, setLast] = useState({ ...day, isMoment: false })
  if (last.date !== day.date || last.goalMinutes !== day.goalMinutes || last.isReached !== day.isReached) {
    const isSameGoal = last.date === day.date && last.goalMinutes === day.goalMinutes
    setLast({ ...day, isMoment: isOn && isSameGoal && day.isReached })
  }
  useEffect(() => {
    if (last.isMoment) haptic()
  }, [last.isMoment])
  return last.isMoment
}
