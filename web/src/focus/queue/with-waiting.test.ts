import { describe, expect, test } from 'vitest'
import type { WaitingChange } from './stored-changes.ts'
import { type FocusRead, openByPresses, withWaiting } from './with-waiting.ts'

const at = (time: string) => `2026-06-15T${time}:00.000Z`

const today = {
  date: '2026-06-15',
  dayOfWeek: 1,
  startsAt: '2026-06-14T22:00:00.000Z',
  endsAt: '2026-06-15T22:00:00.000Z',
  savedSeconds: 600,
}

/** What the server said last: an hour of the clock at which a session is open, or nothing. */
function read(openSince: string | null): FocusRead {
  const openSession = openSince ? { id: 'known', startedAt: at(openSince), endedAt: null } : null
  return { openSession, forgottenSession: null, version: 1, serverTime: at('09:00'), today }
}

/** `+a 10:00` switches on, `-a 11:00` off. */
function presses(text: string): WaitingChange[] {
  return text.split(', ').map((press, place) => {
    const [id = '', time = ''] = press.slice(1).split(' ')
    const to = press.startsWith('+') ? 'on' : 'off'
    return { place, userId: 'mara', to, sessionId: id, timeZone: 'Europe/Berlin', actedAt: Date.parse(at(time)) }
  })
}

function shown(openSince: string | null, text: string) {
  const { openSession, today } = withWaiting(read(openSince), presses(text))
  return [openSession && `${openSession.id} ${openSession.startedAt.slice(11, 16)}`, (today?.savedSeconds ?? 0) / 60]
}

describe('what the server said, with the presses that wait', () => {
  test.each([
    ['an on', null, '+a 10:00', 'a 10:00', 10],
    ['an on and its off', null, '+a 10:00, -a 10:30', null, 40],
    ['and an on again', null, '+a 10:00, -a 10:30, +b 11:00', 'b 11:00', 40],
    ['an off of what is open', '10:00', '-known 10:30', null, 40],
    ['an off that the server knows of already', null, '-known 10:30', null, 10],
    ['an on while something is open', '10:00', '+a 10:30', 'known 10:00', 10],
    ['an on and its off while something is open', '10:00', '+a 10:30, -a 10:40', 'known 10:00', 10],
    ['an on, and an off that names another', null, '+a 10:00, -x 10:30', null, 40],
    ['two ons, and the off of the second', null, '+a 10:00, +b 10:10, -b 10:30', null, 40],
    ['an on that the server knows of, and an off that names another', '10:00', '+known 10:00, -x 10:30', null, 40],
    ['an off that names another than what is open', '10:00', '+a 10:10, -x 10:30', 'known 10:00', 10],
  ])('%s', (_, openSince, text, open, minutes) => {
    expect(shown(openSince, text)).toEqual([open, minutes])
  })
})

test('without anything read, the last press says whether deeb mode is on', () => {
  expect(openByPresses([])).toBeUndefined()
  expect(openByPresses(presses('+a 10:00'))?.id).toBe('a')
  expect(openByPresses(presses('+a 10:00, -a 10:30'))).toBeNull()
})
