import { randomUUID } from 'node:crypto'
import { readFocus, replaySwitches, setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { deviceZone } from '@deeb/core/focus/device-zone'
import { elapsedSeconds } from '@deeb/core/focus/session'
import { MAX_TARGET_MINUTES } from '@deeb/core/focus/target'
import * as texts from '@deeb/texts/cli'
import { v7 as uuidv7 } from 'uuid'
import { call, type Login } from './api.ts'
import { EXIT, Problem } from './exit.ts'
import { type OwnState, ownState } from './own-state.ts'

/** Switches deeb mode on. If it is on already, only a given length changes: it counts from now. */
export async function switchOn(login: Login, targetMinutes: number | null): Promise<OwnState & { wasOn: boolean }> {
  const sessionId = uuidv7()
  const target = targetMinutes === null ? {} : { targetMinutes }
  const { session, serverTime } = await call(login, startFocus, { sessionId, ...deviceZone(new Date()), ...target })
  if (session.id === sessionId) return { ...ownState({ openSession: session, serverTime }), wasOn: false }
  if (targetMinutes === null) return { ...ownState({ openSession: session, serverTime }), wasOn: true }
  const total = Math.ceil(elapsedSeconds(new Date(session.startedAt), new Date(serverTime)) / 60) + targetMinutes
  if (total > MAX_TARGET_MINUTES) {
    throw new Problem(EXIT.refused, texts.targetTooLong({ hours: MAX_TARGET_MINUTES / 60 }))
  }
  const changed = await call(login, setTarget, { sessionId: session.id, targetMinutes: total })
  return { ...ownState({ openSession: changed.session, serverTime: changed.serverTime }), wasOn: true }
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
