import { describe, expect, test } from 'vitest'
import { openSessionOf } from './history.ts'
import { type FocusRead, openByPending, type PendingSwitch, withPending } from './optimistic.ts'
import { replay } from './replay.ts'
import { secondsWithin } from './session.ts'

const timeZone = 'Europe/Berlin'
const at = (time: string) => new Date(`2026-06-15T${time}:00.000Z`)

const today = { startsAt: '2026-06-14T22:00:00.000Z', endsAt: '2026-06-15T22:00:00.000Z', savedSeconds: 600 }

/** The target of the open session in a response of the server. */
const KNOWN_TARGET = 90

/** A response of the server: a session is open since this time, or none is. */
function read(openSince: string | null): FocusRead {
  const startedAt = openSince && at(openSince).toISOString()
  const openSession = startedAt ? { id: 'known', startedAt, endedAt: null, targetMinutes: KNOWN_TARGET } : null
  return { openSession, forgottenSession: null, version: 1, serverTime: at('09:00').toISOString(), today }
}

/** `+a 10:00` switches on, `+a 10:00 50` with a target of 50 minutes, `-a 11:00` off. */
function switches(text: string): (PendingSwitch & { timeZone: string })[] {
  return text.split(', ').map((change) => {
    const [id = '', time = '', target] = change.slice(1).split(' ')
    const targetMinutes = target ? Number(target) : undefined
    return { to: change.startsWith('+') ? 'on' : 'off', sessionId: id, timeZone, at: at(time), targetMinutes }
  })
}

function written(id: string, startedAt: string, { targetMinutes }: { targetMinutes?: number | undefined }): string {
  return [id, startedAt.slice(11, 16), ...(targetMinutes ? [targetMinutes] : [])].join(' ')
}

/** The open session and the saved minutes after the optimistic update. */
function shown(openSince: string | null, text: string) {
  const { openSession, today } = withPending(read(openSince), switches(text))
  return [openSession && written(openSession.id, openSession.startedAt, openSession), (today?.savedSeconds ?? 0) / 60]
}

/** The same after the replay on the server. */
function replayed(openSince: string | null, text: string) {
  const known = {
    id: 'known',
    endedAt: null,
    timeZone,
    isForgotten: false,
    isDiscarded: false,
    targetMinutes: KNOWN_TARGET,
  }
  const before = {
    sessions: openSince ? [{ ...known, startedAt: at(openSince) }] : [],
    aliases: new Map<string, string>(),
    taken: [],
  }
  let pieces = 0
  const after = replay(before, switches(text), at('12:00'), () => `piece ${++pieces}`)
  const open = openSessionOf(after)
  const day = { startsAt: new Date(today.startsAt), endsAt: new Date(today.endsAt) }
  const seconds = after.sessions
    .map(({ startedAt, endedAt }) => (endedAt ? secondsWithin(startedAt, endedAt, day) : 0))
    .reduce((sum, next) => sum + next, today.savedSeconds)
  return [open ? written(open.id, open.startedAt.toISOString(), open) : null, seconds / 60]
}

describe('the optimistic update', () => {
  test.each([
    ['an on', null, '+a 10:00', 'a 10:00', 10],
    ['an on and its off', null, '+a 10:00, -a 10:30', null, 40],
    ['an on, its off and another on', null, '+a 10:00, -a 10:30, +b 11:00', 'b 11:00', 40],
    ['an on with a target', null, '+a 10:00 50', 'a 10:00 50', 10],
    ['an on with a target, its off and another on', null, '+a 10:00 50, -a 10:30, +b 11:00', 'b 11:00', 40],
    ['an on with a target while a session is open', '10:00', '+a 10:30 50', 'known 10:00 90', 10],
    ['a recorded on with another target', '10:00', '+known 10:00 50', 'known 10:00 90', 10],
    ['an off of the open session', '10:00', '-known 10:30', null, 40],
    ['an off that the server has already recorded', null, '-known 10:30', null, 10],
    ['an on while a session is open', '10:00', '+a 10:30', 'known 10:00 90', 10],
    ['an on and its off while a session is open', '10:00', '+a 10:30, -a 10:40', 'known 10:00 90', 10],
    ['an on, and an off that names another session', null, '+a 10:00, -x 10:30', null, 40],
    ['two ons, and the off of the second', null, '+a 10:00, +b 10:10, -b 10:30', null, 40],
    ['a recorded on, and an off that names another session', '10:00', '+known 10:00, -x 10:30', null, 40],
    ['an off that names neither the open session nor the on', '10:00', '+a 10:10, -x 10:30', 'known 10:00 90', 10],
  ])('equals the replay for %s', (_, openSince, text, open, minutes) => {
    expect(shown(openSince, text)).toEqual([open, minutes])
    expect(replayed(openSince, text)).toEqual([open, minutes])
  })
})

test('the last pending switch decides the open session when there is no server state', () => {
  expect(openByPending([])).toBeUndefined()
  expect(openByPending(switches('+a 10:00 50'))).toMatchObject({ id: 'a', targetMinutes: 50 })
  expect(openByPending(switches('+a 10:00, -a 10:30'))).toBeNull()
})
