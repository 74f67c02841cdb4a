import { describe, expect, it } from 'vitest'
import { localDayAt } from '../focus/split-by-day.ts'
import { trackedSeconds } from '../stats/week.ts'
import { homeAt } from './cached-home.ts'

const ZONE = 'Europe/Berlin'
const at = (text: string) => new Date(text)

const openSince = (startedAt: string) => ({ id: '019f0000-0000-7000-8000-000000000000', startedAt, endedAt: null })

function homeRead(readAt: string, startedAt: string | null) {
  const { date, dayOfWeek, startsAt, endsAt } = localDayAt(at(readAt), ZONE)
  return {
    profile: { id: '', username: 'mara', firstName: null, lastName: null, email: '', companyDomain: null },
    goals: [],
    hasSessions: true,
    openSession: startedAt === null ? null : openSince(startedAt),
    forgottenSession: null,
    version: 1,
    serverTime: readAt,
    today: { date, dayOfWeek, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), savedSeconds: 600 },
  }
}

describe('homeLater', () => {
  it('returns the response unchanged on the same day', () => {
    const home = homeRead('2026-05-11T12:00:00.000Z', '2026-05-11T11:00:00.000Z')
    expect(homeAt(home, at('2026-05-11T21:59:59.999Z'), ZONE)).toEqual(home)
  })

  it('returns a new day without saved time, to which the open session adds its part', () => {
    const home = homeRead('2026-05-11T20:00:00.000Z', '2026-05-11T21:00:00.000Z')
    const now = at('2026-05-11T22:30:00.000Z')
    const later = homeAt(home, now, ZONE)
    expect(later.today).toEqual({
      date: '2026-05-12',
      dayOfWeek: 2,
      startsAt: '2026-05-11T22:00:00.000Z',
      endsAt: '2026-05-12T22:00:00.000Z',
      savedSeconds: 0,
    })
    expect(trackedSeconds(later.today, later.openSession, now)).toBe(30 * 60)
  })
})
