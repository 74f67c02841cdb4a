import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { switchFocus as endpoint } from '@deeb/core/focus/program-api'
import { capOf, elapsedSeconds } from '@deeb/core/focus/session'
import { MAX_TARGET_MINUTES, MIN_TARGET_MINUTES } from '@deeb/core/focus/target'
import { type Db, lookup } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { readFocus } from './read-focus.ts'
import { setTarget } from './set-target.ts'
import { startFocus } from './start-focus.ts'
import { stopFocus } from './stop-focus.ts'

/**
 * A `toggle` this soon after the last switch changes nothing, since a key can bounce: 2 s, and the part of a second by which the
 * times of sessions are rounded down.
 */
const BOUNCE_MS = 3_000

interface Last {
  timeZone: string
  switchedAt: Date
}

const lastSession = lookup(
  'focus.last-session',
  `select time_zone as "timeZone", coalesce(end_time, start_time) as "switchedAt" from deeb_sessions
  where user_id = :userId order by start_time desc limit 1`,
)

/**
 * Switches deeb mode on, off or to the other state, and returns the state and whether it has changed. `forMinutes` counts from now, and
 * its target is the nearest that a session can have. Refuses with `invalid_time_zone` for a first session without a zone, and with
 * `too_many_sessions`.
 */
export async function switchFocus(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<{ state: OutputOf<typeof endpoint>; isChanged: boolean }> {
  const { openSession, version } = await readFocus(db, actor, now)
  // Read afterwards: it has at least the switch to that state.
  const [last] = await db.query<Last>(lastSession, { userId: actor.userId })
  // A session past 16 hours counts as ended.
  const open = openSession && capOf(new Date(openSession.startedAt)) > now ? openSession : null
  const isOn = open !== null
  const bounced = last !== undefined && now.getTime() - last.switchedAt.getTime() < BOUNCE_MS
  const turnsOn = input.on === 'toggle' ? isOn === bounced : input.on

  const start = () => {
    const { timeZone, utcOffset } = input
    const zone = timeZone === undefined ? { timeZone: last?.timeZone ?? '' } : { timeZone, utcOffset }
    const target = input.forMinutes === undefined ? {} : { targetMinutes: targetOf(input.forMinutes) }
    return startFocus(db, actor, { sessionId: randomUUID(), ...zone, ...target }, now)
  }
  if (turnsOn && !open) await start()
  if (turnsOn && open && input.forMinutes !== undefined) {
    const elapsed = Math.ceil(elapsedSeconds(new Date(open.startedAt), now) / 60)
    const target = { sessionId: open.id, targetMinutes: targetOf(elapsed + input.forMinutes) }
    await setTarget(db, actor, target, now).catch(orIfEnded(start))
  }
  if (!turnsOn && open) await stopFocus(db, actor, { sessionId: open.id }, now)
  const state = await readFocus(db, actor, now)
  return { state, isChanged: state.version !== version }
}

function targetOf(minutes: number): number {
  return Math.min(Math.max(minutes, MIN_TARGET_MINUTES), MAX_TARGET_MINUTES)
}

/** Another device ended the session in the time between. */
function orIfEnded(otherwise: () => Promise<unknown>) {
  return (error: unknown) => {
    if (error instanceof Refusal && error.code === 'session_not_found') return otherwise()
    throw error
  }
}
