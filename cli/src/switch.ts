import { randomUUID } from 'node:crypto'
import { replaySwitches, stopFocus } from '@deeb/core/focus/api'
import { deviceZone } from '@deeb/core/focus/device-zone'
import { type OwnState, ownState } from '@deeb/core/focus/own-state'
import { readFocus, switchFocus } from '@deeb/core/focus/program-api'
import { elapsedSeconds } from '@deeb/core/focus/session'
import { call, type Login } from './api.ts'

/** Switches deeb mode on. If it is on already, only a given length changes: it counts from now. */
export async function switchOn(login: Login, forMinutes: number | null): Promise<OwnState> {
  const length = forMinutes === null ? {} : { forMinutes }
  return ownState(await call(login, switchFocus, { on: true, ...deviceZone(new Date()), ...length }))
}

/** Switches deeb mode off. Returns how long the session was in seconds, or null if none was open. */
export async function switchOff(login: Login): Promise<number | null> {
  const { openSession } = await call(login, readFocus, {})
  if (!openSession) return null
  const { session, serverTime } = await call(login, stopFocus, { sessionId: openSession.id })
  return elapsedSeconds(new Date(session.startedAt), new Date(session.endedAt ?? serverTime))
}

/** Counts an interruption of the open session. Returns false if none is open. */
export async function countInterruption(login: Login): Promise<boolean> {
  const { openSession } = await call(login, readFocus, {})
  if (!openSession) return false
  const sentAt = new Date().toISOString()
  const press = { to: 'interrupted', sessionId: openSession.id, pressId: randomUUID(), actedAt: sentAt } as const
  const { refused } = await call(login, replaySwitches, { sentAt, changes: [press] })
  return refused.length === 0
}
