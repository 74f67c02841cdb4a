import { describe, expect, it } from 'vitest'
import { localWeekAt } from '../focus/split-by-day.ts'
import { weekAt } from './cached-week.ts'

const at = (text: string) => new Date(text)

describe('weekLater', () => {
  const days = localWeekAt(at('2026-05-13T12:00:00.000Z'), 'Europe/Berlin')
  const week = days.map(({ date, dayOfWeek, startsAt, endsAt }) => ({
    date,
    dayOfWeek,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    savedSeconds: 60,
    goalMinutes: 240,
  }))
  const read = {
    week,
    averageWeekMinutes: null,
    firstWeek: null,
    earlierWeeksMinutes: [],
    lastWeekMinutes: [0, 0, 0, 0, 0, 0, 0],
    openSession: { id: '019f0000-0000-7000-8000-000000000000', startedAt: '2026-05-13T11:00:00.000Z', endedAt: null },
    forgottenSession: null,
    version: 1,
    serverTime: '2026-05-13T12:00:00.000Z',
  }

  it('returns the response until the end of Sunday, then null', () => {
    expect(weekAt(read, at('2026-05-13T13:00:00.000Z'))).toEqual(read)
    expect(weekAt(read, at('2026-05-17T21:59:59.999Z'))).toEqual(read)
    expect(weekAt(read, at('2026-05-17T22:00:00.000Z'))).toBeNull()
  })
})
