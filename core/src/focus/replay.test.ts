import { describe, expect, test } from 'vitest'
import { gapsBetween, type History, openSessionOf, type PastSession } from './history.ts'
import { type QueuedSwitch, replay } from './replay.ts'

const timeZone = 'Europe/Berlin'

/** 09:30 of the day that the tests are about; 33:30 is 09:30 of the next. */
function at(time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(Date.UTC(2026, 5, 15, hours, minutes))
}

function clock(instant: Date): string {
  const minutes = (instant.getTime() - at('00:00').getTime()) / 60_000
  return [Math.floor(minutes / 60), minutes % 60].map((figure) => String(figure).padStart(2, '0')).join(':')
}

/** `b 09:00-10:00`, or `b 09:00-` for one that is open; `!` for a forgotten one. */
function session(text: string): PastSession {
  const [, id = '', from = '', to, forgotten] = /^(\S+) (\d\d:\d\d)-(\d\d:\d\d)?(!)?$/.exec(text) ?? []
  const endedAt = to ? at(to) : null
  return { id, startedAt: at(from), endedAt, timeZone, isForgotten: Boolean(forgotten), isDiscarded: false }
}

function history(...texts: string[]): History {
  return { sessions: texts.map(session), aliases: new Map(), taken: [] }
}

/** `+a 09:00` switches on, `-a 10:00` off. */
function changes(text: string): QueuedSwitch[] {
  return text.split(', ').map((change) => {
    const [id = '', time = ''] = change.slice(1).split(' ')
    const common = { sessionId: id, at: at(time) }
    return change.startsWith('+') ? { to: 'on', timeZone, ...common } : { to: 'off', ...common }
  })
}

/** How long it takes, in ms, to tell of hours between `count` sessions of a second each. */
function msToTellBetween(count: number): number {
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

function told(text: string, before: History, now = '12:00'): History {
  let pieces = 0
  return replay(before, changes(text), at(now), () => `piece ${++pieces}`)
}

function written({ sessions }: History): string[] {
  return sessions
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
    .map(({ id, startedAt, endedAt, isForgotten, isDiscarded }) =>
      isDiscarded
        ? `${id} known`
        : `${id} ${clock(startedAt)}-${endedAt ? clock(endedAt) : ''}${isForgotten ? '!' : ''}`,
    )
}

describe('an on and its off', () => {
  test.each([
    ['where nothing was', [], '+a 09:00, -a 10:00', ['a 09:00-10:00']],
    ['twice', [], '+a 09:00, -a 10:00, +b 10:00, -b 11:00', ['a 09:00-10:00', 'b 10:00-11:00']],
    ['into the start of another', ['b 09:30-11:00'], '+a 09:00, -a 10:00', ['a 09:00-09:30', 'b 09:30-11:00']],
    ['out of the end of another', ['b 08:00-09:30'], '+a 09:00, -a 10:00', ['b 08:00-09:30', 'a 09:30-10:00']],
    [
      'round another',
      ['b 10:00-11:00'],
      '+a 09:00, -a 12:00',
      ['piece 1 09:00-10:00', 'b 10:00-11:00', 'a 11:00-12:00'],
    ],
    ['within another', ['b 08:00-11:00'], '+a 09:00, -a 10:00', ['b 08:00-11:00', 'a known']],
    ['within one that is open', ['b 08:00-'], '+a 09:00, -a 10:00', ['b 08:00-', 'a known']],
    ['into one that is open', ['b 09:30-'], '+a 09:00, -a 10:00', ['a 09:00-09:30', 'b 09:30-']],
    ['round an empty one', ['b 09:30-09:30'], '+a 09:00, -a 10:00', ['a 09:00-10:00', 'b 09:30-09:30']],
    ['the same second', [], '+a 09:00, -a 09:00', ['a known']],
    ['the wrong way round', [], '+a 09:00, -a 08:00', ['a known']],
    ['17 hours apart', [], '+a 09:00, -a 26:00', ['a 09:00-25:00!']],
    ['17 hours apart, the end taken', ['b 24:00-26:00'], '+a 09:00, -a 26:00', ['a 09:00-24:00', 'b 24:00-26:00']],
  ])('%s', (_, before, change, after) => {
    const now = change.includes('26:00') ? '36:00' : '12:00'
    const once = told(change, history(...before), now)
    expect(written(once)).toEqual(after)
    expect(written(told(change, once, now))).toEqual(after)
  })

  test.each([
    ['an on that another follows', [], '+a 09:00, +b 09:10, -a 09:30', ['a 09:00-09:30', 'b known']],
    ['an on that another follows, by that name', [], '+a 09:00, +b 09:10, -b 09:30', ['a 09:00-09:30', 'b known']],
    ['each time anew', [], '+a 09:00, -x 09:20, +b 09:25, -a 10:00', ['a 09:00-09:20', 'b 09:25-10:00']],
    ['no matter what comes after it', [], '+a 09:00, -x 09:20, -a 09:30', ['a 09:00-09:20']],
    ['not before it began', [], '-x 08:50, +a 09:00, -x 08:55', ['a known']],
    ['not what comes after', [], '+a 09:00, -x 09:20, +b 11:00', ['a 09:00-09:20', 'b 11:00-']],
    ['where the named one ended', ['x 09:10-09:45'], '+a 09:00, -x 09:40', ['a 09:00-09:10', 'x 09:10-09:45']],
    ['and the named one', ['x 09:10-'], '+a 09:00, -x 09:40', ['a 09:00-09:10', 'x 09:10-09:40']],
    ['and the named one, open all the time', ['x 08:00-'], '+a 09:00, -x 09:40', ['x 08:00-09:40', 'a known']],
    ['not what another device has open', ['x 08:00-'], '+a 09:00, -b 09:40', ['x 08:00-', 'a known']],
  ])('an off that names another ends %s', (_, before, change, after) => {
    const once = told(change, history(...before))
    expect(written(once)).toEqual(after)
    expect(written(told(change, once, '12:10'))).toEqual(after)
  })

  test('that was told alone before, and was open until now, ends with an off that names another', () => {
    expect(written(told('+a 09:00, -x 09:40', told('+a 09:00', history())))).toEqual(['a 09:00-09:40'])
    const forgotten = told('+a 09:00', history(), '26:00')
    expect(written(told('+a 09:00, -x 09:40', forgotten, '26:00'))).toEqual(['a 09:00-09:40'])
    // Its second name is all that it is here.
    const joined = told('+a 09:00', history('x 08:00-'))
    expect(written(told('+a 09:00, -b 09:40', joined))).toEqual(['x 08:00-'])
  })

  test('of two devices, whichever comes first, count their union', () => {
    const phone = '+a 09:00, -a 10:00, +c 11:00, -c 12:00'
    const laptop = '+b 09:30, -b 11:30'
    expect(written(told(laptop, told(phone, history())))).toEqual(['a 09:00-10:00', 'b 10:00-11:00', 'c 11:00-12:00'])
    expect(written(told(phone, told(laptop, history())))).toEqual(['a 09:00-09:30', 'b 09:30-11:30', 'c 11:30-12:00'])
  })
})

describe('an on that goes on', () => {
  test.each([
    ['is open since then', [], '+a 09:00', ['a 09:00-']],
    ['leaves others their time', ['b 10:00-11:00'], '+a 09:00', ['piece 1 09:00-10:00', 'b 10:00-11:00', 'a 11:00-']],
    ['passes over one without length', ['b 10:00-10:00'], '+a 09:00', ['a 09:00-', 'b 10:00-10:00']],
    ['within another begins at its end', ['b 08:00-11:00'], '+a 09:00', ['b 08:00-11:00', 'a 11:00-']],
    ['before an open one comes before it', ['b 10:00-'], '+a 09:00', ['piece 1 09:00-10:00', 'b 10:00-']],
    ['after an open one is that', ['b 08:00-'], '+a 09:00', ['b 08:00-']],
    ['follows one that ends after now', ['b 13:00-14:00'], '+a 12:00', ['b 13:00-14:00', 'a 14:00-']],
  ])('%s', (_, before, change, after) => {
    const once = told(change, history(...before))
    expect(written(once)).toEqual(after)
    expect(written(told(change, once, '12:10'))).toEqual(after)
  })

  test('is ended by its off, told later, by whichever name', () => {
    expect(written(told('-a 11:30', told('+a 09:00', history())))).toEqual(['a 09:00-11:30'])
    expect(written(told('-a 11:30', told('+a 09:00', history('b 08:00-'))))).toEqual(['b 08:00-11:30'])
  })

  test('longer than 16 hours ended there', () => {
    expect(written(told('+a 09:00', history(), '25:01'))).toEqual(['a 09:00-25:00!'])
    expect(written(told('+a 09:00', history('b 26:00-'), '27:00'))).toEqual(['a 09:00-25:00!', 'b 26:00-'])
    expect(written(told('+a 09:00', history('b 23:00-'), '27:00'))).toEqual(['piece 1 09:00-23:00', 'b 23:00-'])
  })

  test.each([
    ['between others', ['b 10:05-10:10', 'c 10:12-10:15'], '+a 10:20'],
    ['within another', ['b 10:05-10:10', 'c 10:12-10:25'], '+a 10:20'],
    ['where another ended', ['b 10:05-10:10', 'c 10:12-10:20'], '+a 10:20'],
    ['after another was opened', ['b 10:05-10:10', 'c 10:15-'], '+a 10:20'],
    ['before another was opened', ['b 10:05-10:10', 'c 10:25-'], '+a 10:20'],
  ])('whose first report was delayed gets the same time as without, %s', (_, before, delayed) => {
    const free = (after: History) => gapsBetween(after, { startedAt: at('10:00'), endedAt: at('10:30') })
    const inTime = told(delayed, told('+a 10:00', history(...before), '10:30'), '10:30')
    const late = told('+a 10:00', told(delayed, history(...before), '10:30'), '10:30')
    expect(free(late)).toEqual([])
    expect(openSessionOf(late)).toEqual(openSessionOf(inTime))
    expect(late.aliases).toEqual(inTime.aliases)
    expect(written(told('+a 10:00', late, '10:30'))).toEqual(written(late))
  })

  test('whose first report was delayed fills what is free before another session', () => {
    const late = told('+a 10:20', history('b 10:05-10:10'), '10:30')
    expect(written(told('+a 10:00', late, '10:30'))).toEqual(['piece 1 10:00-10:05', 'b 10:05-10:10', 'a 10:10-'])
    expect(written(told('+a 10:00, -a 10:03', late, '10:30'))).toEqual(['a 10:00-10:03', 'b 10:05-10:10'])
    expect(written(told('+a 10:00, -a 10:07', late, '10:30'))).toEqual(['a 10:00-10:05', 'b 10:05-10:10'])
    expect(written(told('+a 10:00, -a 10:25', late, '10:30'))).toEqual([
      'piece 1 10:00-10:05',
      'b 10:05-10:10',
      'a 10:10-10:25',
    ])
    const ofAnother = told('+a 10:20', history('b 10:05-10:10', 'c 10:15-'), '10:30')
    expect(written(told('+a 10:00, -x 10:12', ofAnother, '10:30'))).toEqual([
      'piece 1 10:00-10:05',
      'b 10:05-10:10',
      'piece 2 10:10-10:12',
      'c 10:15-',
    ])
  })

  test('told again with an earlier instant, while it is open, began then', () => {
    expect(written(told('+a 11:55', history('a 11:58-')))).toEqual(['a 11:55-'])
    expect(written(told('+a 11:55, -a 11:57', history('a 11:58-')))).toEqual(['a 11:55-11:57'])
    expect(written(told('+a 11:55', history('b 11:00-11:56', 'a 11:58-')))).toEqual(['b 11:00-11:56', 'a 11:56-'])
    expect(written(told('+a 11:55', history('a 11:58-11:59')))).toEqual(['a 11:58-11:59'])
    // There because the server's clock was set back.
    expect(written(told('+a 11:55', history('a 12:30-')))).toEqual(['a 12:30-'])
  })
})

describe('an off', () => {
  test.each([
    ['ends the open session then', ['b 09:00-'], '-b 10:00', ['b 09:00-10:00']],
    ['before its start leaves it empty', ['b 09:00-'], '-b 08:00', ['b 09:00-09:00']],
    ['is too late for one that has ended', ['b 09:00-11:00'], '-b 10:00', ['b 09:00-11:00']],
    ['of nothing does nothing', ['b 09:00-'], '-x 10:00', ['b 09:00-']],
    ['moves the end of a forgotten one', ['b 09:00-25:00!'], '-b 10:00', ['b 09:00-10:00']],
    ['after the end of a forgotten one does not', ['b 09:00-25:00!'], '-b 26:00', ['b 09:00-25:00!']],
    ['of one that nobody has got round to ending', ['b 09:00-'], '-b 26:00', ['b 09:00-25:00!']],
  ])('%s', (_, before, change, after) => {
    expect(written(told(change, history(...before), change.includes('26:00') ? '36:00' : '12:00'))).toEqual(after)
  })

  test('that told of a forgotten one leaves room for what came after it', () => {
    const after = told('-b 10:00, +c 11:00, -c 12:00', history('b 09:00-25:00!'), '36:00')
    expect(written(after)).toEqual(['b 09:00-10:00', 'c 11:00-12:00'])
    expect(openSessionOf(after)).toBeUndefined()
  })
})

test('sixteen times as many sessions between take no more than a hundred times as long', () => {
  msToTellBetween(1_000)
  expect(msToTellBetween(16_000)).toBeLessThan(100 * msToTellBetween(1_000))
})
