import { describe, expect, test } from 'vitest'
import { emulateTimeZone } from '../ui/testing/emulated-time-zone.ts'
import { endsOf, instantsOf } from './datetime-field.ts'

const iso = (instants: Date[]) => instants.map((instant) => instant.toISOString().slice(5, 16))
const starting = (value: string) => instantsOf(value)[0] ?? null

describe('the end of a session', () => {
  test.each([
    ['later on the same day', '09:00', '10:30', ['06-15T08:30']],
    ['an earlier time: on the next day', '22:00', '01:30', ['06-15T23:30']],
    ['16 hours on the next day', '22:00', '14:00', ['06-16T12:00']],
    ['more than 16 hours on the next day: on the same day, an error', '22:00', '14:01', ['06-15T12:01']],
    ['the same time: an error', '09:00', '09:00', ['06-15T07:00']],
    ['an empty field', '09:00', '', []],
  ])('%s', async (_, start, end, expected) => {
    await emulateTimeZone('Europe/Berlin')
    expect(iso(endsOf('2026-06-15', end, starting(`2026-06-15T${start}`)))).toEqual(expected)
  })

  test('can be both occurrences of a time when the clock is set back', async () => {
    await emulateTimeZone('Europe/Berlin')
    const ends = endsOf('2026-10-25', '02:30', starting('2026-10-25T01:00'))
    expect(iso(ends)).toEqual(['10-25T00:30', '10-25T01:30'])
  })

  test('is the second occurrence if the start is after the first', async () => {
    await emulateTimeZone('Europe/Berlin')
    const [first = null] = instantsOf('2026-10-25T02:45')
    expect(iso(endsOf('2026-10-25', '02:30', first))).toEqual(['10-25T01:30'])
    // Also for a start at the first occurrence of the same time.
    expect(iso(endsOf('2026-10-25', '02:45', first))).toEqual(['10-25T01:45'])
  })

  test('can be both occurrences of a time of the next day when the clock is set back', async () => {
    await emulateTimeZone('Europe/Berlin')
    expect(iso(endsOf('2026-10-24', '02:30', starting('2026-10-24T22:00')))).toEqual(['10-25T00:30', '10-25T01:30'])
  })

  test('is an hour later when the clock skips its time', async () => {
    await emulateTimeZone('Europe/Berlin')
    expect(iso(endsOf('2026-03-29', '02:30', starting('2026-03-29T01:00')))).toEqual(['03-29T01:30'])
  })
})
