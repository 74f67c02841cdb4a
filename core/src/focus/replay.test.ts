import { describe, expect, test } from 'vitest'
import { gapsBetween, type History, openSessionOf, type PastSession } from './history.ts'
import { type QueuedSwitch, replay } from './replay.ts'

const timeZone = 'Europe/Berlin'

/** The instant of a time on the day of the tests; 33:30 is 09:30 of the next day. */
function at(time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(Date.UTC(2026, 5, 15, hours, minutes))
}

function clock(instant: Date): string {
  const minutes = (instant.getTime() - at('00:00').getTime()) / 60_000
  return [Math.floor(minutes / 60), minutes % 60].map((figure) => String(figure).padStart(2, '0')).join(':')
}

/** Parses `b 09:00-10:00`, `b 09:00-` (open), `b 09:00- for 50` (with a target) and `b 09:00-10:00!` (forgotten). */
function session(text: string): PastSession {
  const [, id = '', from = '', to, forgotten, target] =
    /^(\S+) (\d\d:\d\d)-(\d\d:\d\d)?(!)?(?: for (\d+))?$/.exec(text) ?? []
  const flags = { isForgotten: Boolean(forgotten), isDiscarded: false }
  return { id, startedAt: at(from), endedAt: to ? at(to) : null, timeZone, ...flags, ...targetOf(target) }
}

function targetOf(minutes: string | undefined): { targetMinutes?: number } {
  return minutes ? { targetMinutes: Number(minutes) } : {}
}

function history(...texts: string[]): History {
  return { sessions: texts.map(session), aliases: new Map(), taken: [] }
}

/** Parses `+a 09:00` (on), `+a 09:00 for 50` (with a target) and `-a 10:00` (off), separated by commas. */
function changes(text: string): QueuedSwitch[] {
  return text.split(', ').map((change) => {
    const [id = '', time = '', , target] = change.slice(1).split(' ')
    const common = { sessionId: id, at: at(time) }
    return change.startsWith('+') ? { to: 'on', timeZone, ...common, ...targetOf(target) } : { to: 'off', ...common }
  })
}

/** The milliseconds of a replay into `count` gaps between sessions of one second each. */
function msToFillGaps(count: number): number {
  const secondFrom = (ms: number) => ({ startedAt: new Date(ms), endedAt: new Date(ms + 1000) })
  const start = at('00:00').getTime()
  const sessions = Array.from({ length: count }, (_, n) => ({
    ...session('a 00:00-00:01'),
    id: `${n}`,
    ...secondFrom(start + 2000 * n),
  }))
  const off = new Date(start + 2000 * count)
  const change: QueuedSwitch[] = [
    { to: 'on', sessionId: 'x', timeZone, at: at('00:00') },
    { to: 'off', sessionId: 'x', at: off },
  ]
  let pieces = 0
  const before = Date.now()
  const { sessions: after } = replay(
    { sessions, aliases: new Map(), taken: [] },
    change,
    off,
    () => `piece ${++pieces}`,
  )
  expect(after).toHaveLength(2 * count)
  return Math.max(1, Date.now() - before)
}

function replayed(text: string, before: History, now = '12:00'): History {
  let pieces = 0
  return replay(before, changes(text), at(now), () => `piece ${++pieces}`)
}

/** One line per session, as `session` reads them; `a tombstone` for a discarded one. */
function written({ sessions }: History): string[] {
  return sessions
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
    .map(({ id, startedAt, endedAt, isForgotten, isDiscarded, targetMinutes }) => {
      const target = targetMinutes === undefined ? '' : ` for ${targetMinutes}`
      const times = `${clock(startedAt)}-${endedAt ? clock(endedAt) : ''}${isForgotten ? '!' : ''}`
      return isDiscarded ? `${id} tombstone${target}` : `${id} ${times}${target}`
    })
}

describe('a replay of an on and its off', () => {
  test.each([
    ['adds a session where none is', [], '+a 09:00, -a 10:00', ['a 09:00-10:00']],
    [
      'adds two sessions for two pairs',
      [],
      '+a 09:00, -a 10:00, +b 10:00, -b 11:00',
      ['a 09:00-10:00', 'b 10:00-11:00'],
    ],
    [
      'is clipped at the start of another session',
      ['b 09:30-11:00'],
      '+a 09:00, -a 10:00',
      ['a 09:00-09:30', 'b 09:30-11:00'],
    ],
    [
      'is clipped at the end of another session',
      ['b 08:00-09:30'],
      '+a 09:00, -a 10:00',
      ['b 08:00-09:30', 'a 09:30-10:00'],
    ],
    [
      'fills both gaps around another session',
      ['b 10:00-11:00'],
      '+a 09:00, -a 12:00',
      ['piece 1 09:00-10:00', 'b 10:00-11:00', 'a 11:00-12:00'],
    ],
    [
      'leaves a tombstone inside another session',
      ['b 08:00-11:00'],
      '+a 09:00, -a 10:00',
      ['b 08:00-11:00', 'a tombstone'],
    ],
    ['leaves a tombstone inside an open session', ['b 08:00-'], '+a 09:00, -a 10:00', ['b 08:00-', 'a tombstone']],
    ['is clipped at the start of an open session', ['b 09:30-'], '+a 09:00, -a 10:00', ['a 09:00-09:30', 'b 09:30-']],
    ['ignores an empty session inside it', ['b 09:30-09:30'], '+a 09:00, -a 10:00', ['a 09:00-10:00', 'b 09:30-09:30']],
    ['leaves a tombstone when both are in the same second', [], '+a 09:00, -a 09:00', ['a tombstone']],
    ['leaves a tombstone when the off is before the on', [], '+a 09:00, -a 08:00', ['a tombstone']],
    ['is clipped at 16 hours and forgotten', [], '+a 09:00, -a 26:00', ['a 09:00-25:00!']],
    [
      'is not forgotten when another session covers its cap',
      ['b 24:00-26:00'],
      '+a 09:00, -a 26:00',
      ['a 09:00-24:00', 'b 24:00-26:00'],
    ],
  ])('%s', (_, before, change, after) => {
    const now = change.includes('26:00') ? '36:00' : '12:00'
    const once = replayed(change, history(...before), now)
    expect(written(once)).toEqual(after)
    expect(written(replayed(change, once, now))).toEqual(after)
  })

  test.each([
    ['the on before another on', [], '+a 09:00, +b 09:10, -a 09:30', ['a 09:00-09:30', 'b tombstone']],
    ['the first on when it names the second', [], '+a 09:00, +b 09:10, -b 09:30', ['a 09:00-09:30', 'b tombstone']],
    ['only the ons before it', [], '+a 09:00, -x 09:20, +b 09:25, -a 10:00', ['a 09:00-09:20', 'b 09:25-10:00']],
    ['the on, so a later off changes nothing', [], '+a 09:00, -x 09:20, -a 09:30', ['a 09:00-09:20']],
    ['no on after it', [], '-x 08:50, +a 09:00, -x 08:55', ['a tombstone']],
    ['no later on', [], '+a 09:00, -x 09:20, +b 11:00', ['a 09:00-09:20', 'b 11:00-']],
    [
      'the on at the start of the named session',
      ['x 09:10-09:45'],
      '+a 09:00, -x 09:40',
      ['a 09:00-09:10', 'x 09:10-09:45'],
    ],
    ['the on and the named session', ['x 09:10-'], '+a 09:00, -x 09:40', ['a 09:00-09:10', 'x 09:10-09:40']],
    [
      'the named session, which leaves the on a tombstone',
      ['x 08:00-'],
      '+a 09:00, -x 09:40',
      ['x 08:00-09:40', 'a tombstone'],
    ],
    ['no open session of another device', ['x 08:00-'], '+a 09:00, -b 09:40', ['x 08:00-', 'a tombstone']],
  ])('with an off that names another session ends %s', (_, before, change, after) => {
    const once = replayed(change, history(...before))
    expect(written(once)).toEqual(after)
    expect(written(replayed(change, once, '12:10'))).toEqual(after)
  })

  test('ends the session that an earlier replay of the on opened, also when the off names another session', () => {
    expect(written(replayed('+a 09:00, -x 09:40', replayed('+a 09:00', history())))).toEqual(['a 09:00-09:40'])
    const forgotten = replayed('+a 09:00', history(), '26:00')
    expect(written(replayed('+a 09:00, -x 09:40', forgotten, '26:00'))).toEqual(['a 09:00-09:40'])
    // Here the id is only an alias.
    const joined = replayed('+a 09:00', history('x 08:00-'))
    expect(written(replayed('+a 09:00, -b 09:40', joined))).toEqual(['x 08:00-'])
  })

  test('of two devices adds the union of their times in either order', () => {
    const phone = '+a 09:00, -a 10:00, +c 11:00, -c 12:00'
    const laptop = '+b 09:30, -b 11:30'
    expect(written(replayed(laptop, replayed(phone, history())))).toEqual([
      'a 09:00-10:00',
      'b 10:00-11:00',
      'c 11:00-12:00',
    ])
    expect(written(replayed(phone, replayed(laptop, history())))).toEqual([
      'a 09:00-09:30',
      'b 09:30-11:30',
      'c 11:30-12:00',
    ])
  })
})

describe('a replay of an on without an off', () => {
  test.each([
    ['opens a session', [], '+a 09:00', ['a 09:00-']],
    [
      'fills the gap before another session',
      ['b 10:00-11:00'],
      '+a 09:00',
      ['piece 1 09:00-10:00', 'b 10:00-11:00', 'a 11:00-'],
    ],
    ['ignores an empty session', ['b 10:00-10:00'], '+a 09:00', ['a 09:00-', 'b 10:00-10:00']],
    ['starts at the end of a session that covers the on', ['b 08:00-11:00'], '+a 09:00', ['b 08:00-11:00', 'a 11:00-']],
    ['fills the gap before an open session', ['b 10:00-'], '+a 09:00', ['piece 1 09:00-10:00', 'b 10:00-']],
    ['adds an alias to an earlier open session', ['b 08:00-'], '+a 09:00', ['b 08:00-']],
    [
      'starts at the end of a session that ends after now',
      ['b 13:00-14:00'],
      '+a 12:00',
      ['b 13:00-14:00', 'a 14:00-'],
    ],
  ])('%s', (_, before, change, after) => {
    const once = replayed(change, history(...before))
    expect(written(once)).toEqual(after)
    expect(written(replayed(change, once, '12:10'))).toEqual(after)
  })

  test('opens a session that a later replay of its off ends by id or alias', () => {
    expect(written(replayed('-a 11:30', replayed('+a 09:00', history())))).toEqual(['a 09:00-11:30'])
    expect(written(replayed('-a 11:30', replayed('+a 09:00', history('b 08:00-'))))).toEqual(['b 08:00-11:30'])
  })

  test('is clipped at 16 hours', () => {
    expect(written(replayed('+a 09:00', history(), '25:01'))).toEqual(['a 09:00-25:00!'])
    expect(written(replayed('+a 09:00', history('b 26:00-'), '27:00'))).toEqual(['a 09:00-25:00!', 'b 26:00-'])
    expect(written(replayed('+a 09:00', history('b 23:00-'), '27:00'))).toEqual(['piece 1 09:00-23:00', 'b 23:00-'])
  })

  test.each([
    ['between other sessions', ['b 10:05-10:10', 'c 10:12-10:15'], '+a 10:20'],
    ['inside another session', ['b 10:05-10:10', 'c 10:12-10:25'], '+a 10:20'],
    ['at the end of another session', ['b 10:05-10:10', 'c 10:12-10:20'], '+a 10:20'],
    ['inside an open session', ['b 10:05-10:10', 'c 10:15-'], '+a 10:20'],
    ['before an open session', ['b 10:05-10:10', 'c 10:25-'], '+a 10:20'],
  ])('corrects the start when the first request was delayed, %s', (_, before, delayed) => {
    const free = (after: History) => gapsBetween(after, { startedAt: at('10:00'), endedAt: at('10:30') })
    const inTime = replayed(delayed, replayed('+a 10:00', history(...before), '10:30'), '10:30')
    const late = replayed('+a 10:00', replayed(delayed, history(...before), '10:30'), '10:30')
    expect(free(late)).toEqual([])
    expect(openSessionOf(late)).toEqual(openSessionOf(inTime))
    expect(late.aliases).toEqual(inTime.aliases)
    expect(written(replayed('+a 10:00', late, '10:30'))).toEqual(written(late))
  })

  test('fills the gaps before another session when the first request was delayed', () => {
    const late = replayed('+a 10:20', history('b 10:05-10:10'), '10:30')
    expect(written(replayed('+a 10:00', late, '10:30'))).toEqual(['piece 1 10:00-10:05', 'b 10:05-10:10', 'a 10:10-'])
    expect(written(replayed('+a 10:00, -a 10:03', late, '10:30'))).toEqual(['a 10:00-10:03', 'b 10:05-10:10'])
    expect(written(replayed('+a 10:00, -a 10:07', late, '10:30'))).toEqual(['a 10:00-10:05', 'b 10:05-10:10'])
    expect(written(replayed('+a 10:00, -a 10:25', late, '10:30'))).toEqual([
      'piece 1 10:00-10:05',
      'b 10:05-10:10',
      'a 10:10-10:25',
    ])
    const ofAlias = replayed('+a 10:20', history('b 10:05-10:10', 'c 10:15-'), '10:30')
    expect(written(replayed('+a 10:00, -x 10:12', ofAlias, '10:30'))).toEqual([
      'piece 1 10:00-10:05',
      'b 10:05-10:10',
      'piece 2 10:10-10:12',
      'c 10:15-',
    ])
  })

  test('moves the start of an open session back when the instant is earlier', () => {
    expect(written(replayed('+a 11:55', history('a 11:58-')))).toEqual(['a 11:55-'])
    expect(written(replayed('+a 11:55, -a 11:57', history('a 11:58-')))).toEqual(['a 11:55-11:57'])
    expect(written(replayed('+a 11:55', history('b 11:00-11:56', 'a 11:58-')))).toEqual(['b 11:00-11:56', 'a 11:56-'])
    expect(written(replayed('+a 11:55', history('a 11:58-11:59')))).toEqual(['a 11:58-11:59'])
    // The start is after now because the server's clock was set back.
    expect(written(replayed('+a 11:55', history('a 12:30-')))).toEqual(['a 12:30-'])
  })
})

describe('a replay of an off', () => {
  test.each([
    ['ends the open session', ['b 09:00-'], '-b 10:00', ['b 09:00-10:00']],
    ['before the start leaves the session empty', ['b 09:00-'], '-b 08:00', ['b 09:00-09:00']],
    ['does not change an ended session', ['b 09:00-11:00'], '-b 10:00', ['b 09:00-11:00']],
    ['of an unknown id does nothing', ['b 09:00-'], '-x 10:00', ['b 09:00-']],
    ['moves the end of a forgotten session back', ['b 09:00-25:00!'], '-b 10:00', ['b 09:00-10:00']],
    ['after the end of a forgotten session does nothing', ['b 09:00-25:00!'], '-b 26:00', ['b 09:00-25:00!']],
    ['ends an overdue session at 16 hours', ['b 09:00-'], '-b 26:00', ['b 09:00-25:00!']],
  ])('%s', (_, before, change, after) => {
    expect(written(replayed(change, history(...before), change.includes('26:00') ? '36:00' : '12:00'))).toEqual(after)
  })

  test('of a forgotten session makes room for later switches', () => {
    const after = replayed('-b 10:00, +c 11:00, -c 12:00', history('b 09:00-25:00!'), '36:00')
    expect(written(after)).toEqual(['b 09:00-10:00', 'c 11:00-12:00'])
    expect(openSessionOf(after)).toBeUndefined()
  })
})

describe('a target', () => {
  test.each([
    ['is kept by an on without an off', [], '+a 09:00 for 50', ['a 09:00- for 50']],
    [
      'is kept by an on after another session',
      ['b 08:00-11:00'],
      '+a 09:00 for 50',
      ['b 08:00-11:00', 'a 11:00- for 50'],
    ],
    ['of an on with its off is forgotten', [], '+a 09:00 for 50, -a 10:00', ['a 09:00-10:00']],
    ['of an on that is clipped at 16 hours is forgotten', [], '+a 09:00 for 50, -a 26:00', ['a 09:00-25:00!']],
    ['of an on while a session is open is ignored', ['b 08:00- for 90'], '+a 09:00 for 50', ['b 08:00- for 90']],
    ['of a repeated on is ignored', ['a 09:00- for 90'], '+a 09:00 for 50', ['a 09:00- for 90']],
    ['is kept when the start is moved back', ['a 09:30- for 90'], '+a 09:00 for 50', ['a 09:00- for 90']],
    ['that was removed does not return with the on', ['a 09:30-'], '+a 09:00 for 50', ['a 09:00-']],
    ['is forgotten with an off', ['b 09:00- for 50'], '-b 10:00', ['b 09:00-10:00']],
    ['is forgotten with the end at 16 hours', ['b 09:00- for 50'], '-x 26:00', ['b 09:00-25:00!']],
    ['is forgotten with an off before the start', ['b 09:00- for 50'], '-b 08:00', ['b 09:00-09:00']],
  ])('%s', (_, before, change, after) => {
    const now = change.includes('26:00') ? '36:00' : '12:00'
    const once = replayed(change, history(...before), now)
    expect(written(once)).toEqual(after)
    expect(written(replayed(change, once, now))).toEqual(after)
  })
})

test('a replay into 16 times as many gaps takes at most 100 times as long', async () => {
  // Other work on the machine can make one attempt slow, a wrong algorithm makes all of them so.
  await expect.poll(() => msToFillGaps(16_000) / msToFillGaps(1_000), { timeout: 20_000 }).toBeLessThan(100)
})
