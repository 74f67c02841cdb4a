import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { AVERAGE_USER_THIS_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { percentOf } from '@deeb/core/stats/status'
import { trackedSeconds, wholeMinutes } from '@deeb/core/stats/week'
import { sumOfDays, weeklyStatus } from '@deeb/core/stats/week-figures'
import { dateAt } from '@deeb/core/testing/local-dates'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, vi } from 'vitest'
import { statement } from '../db/db.ts'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { firstMomentOf, later, naiveWeek, type RawWeek } from '../testing/naive-week.ts'
import { runs } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'

const BERLIN = 'Europe/Berlin'

const test = base.extend('stats', ({ app, clock }) => {
  const save = (goalMinutes: number, user = ann) =>
    app.call(saveGoals, { goals: everyDay(goalMinutes), timeZone: BERLIN }, user)
  const week = async (timeZone = BERLIN, user = ann, monday?: string) =>
    (await app.call(readWeek, { timeZone, ...(monday && { week: monday }) }, user)).body
  const goalsOf = async () => (await week()).week.map((day) => day.goalMinutes)
  async function start(from: string, timeZone = BERLIN): Promise<string> {
    clock.set(from)
    return (await app.call(startFocus, { sessionId: uuidv7(), timeZone }, ann)).body.session.id
  }
  async function work(from: string, to: string, timeZone = BERLIN): Promise<void> {
    const sessionId = await start(from, timeZone)
    clock.set(to)
    await app.call(stopFocus, { sessionId }, ann)
  }
  /** The numbers on the profile screen, computed from the response by the functions of the screen. */
  function shown(read: Awaited<ReturnType<typeof week>>, now: Date) {
    const { averageWeekMinutes, firstWeek, earlierWeeksMinutes, lastWeekMinutes, openSession } = read
    const days = read.week.map((day) => ({ ...day, minutes: wholeMinutes(trackedSeconds(day, openSession, now)) }))
    const { minutes, goalMinutes } = sumOfDays(days)
    return {
      days: days.map((day) => ({ ...day, startsAt: new Date(day.startsAt), endsAt: new Date(day.endsAt) })),
      averageWeekMinutes,
      firstWeek,
      earlierWeeksMinutes,
      lastWeekMinutes,
      minutes,
      goalMinutes,
      status: weeklyStatus(minutes, goalMinutes),
      percent: percentOf(minutes, goalMinutes),
      percentOfAverage: averageWeekMinutes === null ? null : percentOf(minutes, averageWeekMinutes),
      percentOfUser: percentOf(minutes, AVERAGE_USER_THIS_WEEK_MINUTES),
    }
  }
  return { save, week, goalsOf, start, work, shown }
})

let ann: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-02-23T09:00:00Z')
  ann = await makeTraveller(app)
})

/** The same numbers, computed by the reference model. */
function expected(raw: RawWeek, now: Date, timeZone: string, weeksAgo = 0) {
  const { days, averageWeekMinutes, ...earlier } = naiveWeek(raw, now, timeZone, weeksAgo)
  let [minutes, goalMinutes] = [0, 0]
  for (const day of days) [minutes, goalMinutes] = [minutes + day.minutes, goalMinutes + day.goalMinutes]
  const percent = (of: number) => Math.round((100 * minutes) / of)
  return {
    days,
    averageWeekMinutes,
    ...earlier,
    minutes,
    goalMinutes,
    status: minutes < 60 ? 'get deeb' : minutes < goalMinutes ? 'on track' : 'over performer',
    percent: goalMinutes === 0 ? null : percent(goalMinutes),
    percentOfAverage: averageWeekMinutes === null ? null : percent(averageWeekMinutes),
    percentOfUser: percent(1200),
  }
}

describe('the numbers of the week', () => {
  /** Time zones, each with a start shortly before a clock change, so that most runs include it. */
  const places = [
    { timeZone: BERLIN, from: '2026-03-18T10:00:00Z' },
    { timeZone: BERLIN, from: '2026-10-14T10:00:00Z' },
    { timeZone: 'Australia/Lord_Howe', from: '2026-03-28T02:00:00Z' },
    { timeZone: 'Australia/Lord_Howe', from: '2026-09-26T02:00:00Z' },
    { timeZone: 'America/Havana', from: '2026-02-27T15:00:00Z' },
    { timeZone: 'America/Havana', from: '2026-10-24T15:00:00Z' },
    { timeZone: 'Asia/Kathmandu', from: '2025-12-22T04:00:00Z' },
    { timeZone: 'Pacific/Apia', from: '2011-12-22T20:00:00Z' },
  ]
  const minutes = (from: number, to: number) => fc.integer({ min: from * 60, max: to * 60 })
  const step = fc.record({
    does: fc.oneof({ weight: 5, arbitrary: fc.constant('switch') }, { weight: 1, arbitrary: fc.constant('goals') }),
    waitSeconds: fc.oneof(minutes(0, 3), minutes(0, 180), minutes(0, 17 * 60), minutes(20 * 60, 5 * 24 * 60)),
    untilMidnight: fc.boolean().chain((yes) => (yes ? fc.boolean() : fc.constant(false))),
    // Mostly null: in the home time zone.
    away: fc.option(fc.constantFrom(...places.map((place) => place.timeZone)), { freq: 4, nil: null }),
    goals: fc.array(fc.constantFrom(0, 1, 60, 240, 1440), { minLength: 7, maxLength: 7 }),
  })

  test('property: equal a reference model that looks up the date of each second', async ({ app, clock, stats }) => {
    const counted = fc.asyncProperty(
      fc.constantFrom(...places),
      fc.array(step, { maxLength: 30, size: 'max' }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 1, max: 5 }),
      async ({ timeZone, from }, steps, ms, weeksAgo) => {
        clock.set(new Date(Date.parse(from) + ms).toISOString())
        const user = await makeTraveller(app)
        const raw: RawWeek = { ended: [], openSince: null, saves: [] }
        let open = { id: '', timeZone }
        const endAt = (endedAt: Date) => {
          if (raw.openSince) raw.ended.push({ startedAt: raw.openSince, endedAt, timeZone: open.timeZone })
          raw.openSince = null
        }
        for (const { does, waitSeconds, untilMidnight, away, goals } of steps) {
          clock.advance({ seconds: waitSeconds })
          const tomorrow = later(dateAt(clock.now().getTime(), timeZone), 1)
          if (untilMidnight) clock.set(firstMomentOf(tomorrow, timeZone).toISOString())
          const now = clock.now()
          await closeForgottenSessions(app.db, now)
          const cap = (raw.openSince?.getTime() ?? Number.POSITIVE_INFINITY) + 16 * 3_600_000
          if (cap <= now.getTime()) endAt(new Date(cap))

          const second = new Date(now.getTime() - now.getUTCMilliseconds())
          if (does === 'goals') {
            const named = goals.map((goalMinutes, dayOfWeek) => ({ dayOfWeek, goalMinutes }))
            await app.call(saveGoals, { goals: named, timeZone }, user)
            raw.saves.push({ savedAt: now, savedOn: dateAt(now.getTime(), timeZone), minutes: goals })
          } else if (raw.openSince) {
            await app.call(stopFocus, { sessionId: open.id }, user)
            endAt(second)
          } else {
            open = { id: uuidv7(), timeZone: away ?? timeZone }
            await app.call(startFocus, { sessionId: open.id, timeZone: open.timeZone }, user)
            raw.openSince = second
          }
        }
        const now = clock.now()
        expect(stats.shown(await stats.week(timeZone, user), now)).toEqual(expected(raw, now, timeZone))
        const earlier = expected(raw, now, timeZone, weeksAgo)
        expect(stats.shown(await stats.week(timeZone, user, earlier.days[0]?.date), now)).toEqual(earlier)
      },
    )
    await fc.assert(counted, runs(40, 1_500))
  })

  /*
   * Berlin, 2026: UTC+1, and UTC+2 from Sunday, 29 March, when 02:00 is 03:00.
   *
   *     2 Mar   Mo 09:00 - 10:00                   60                                      week  60
   *     9 Mar   Mo 09:00:00 - 09:00:30              0, and a week without a minute is none
   *    16 Mar   Tu 09:00 - 11:30:30               150
   *             Th 22:00 - 00:45                  120 and Fr 45
   *             Fr 10:00:00 - 10:00:45            45 min 45 s in all: still 45             week 315
   *    23 Mar   Sa 23:00 - 04:00                  60 and Su 3 h: 00 01 03
   *             Su 20:00 - now, 20:30:59          3 h 30 min 59 s in all: 210              week 270
   */
  test('equal an example by hand: three weeks in Berlin that end with a clock change', async ({
    app,
    clock,
    stats,
  }) => {
    await stats.work('2026-03-02T08:00:00Z', '2026-03-02T09:00:00Z')
    await stats.work('2026-03-09T08:00:00Z', '2026-03-09T08:00:30Z')
    await stats.work('2026-03-17T08:00:00Z', '2026-03-17T10:30:30Z')
    await stats.work('2026-03-19T21:00:00Z', '2026-03-19T23:45:00Z')
    await stats.work('2026-03-20T09:00:00Z', '2026-03-20T09:00:45Z')
    clock.set('2026-03-25T11:00:00Z')
    await stats.save(120)
    await stats.work('2026-03-28T22:00:00Z', '2026-03-29T02:00:00Z')
    const open = await stats.start('2026-03-29T18:00:00Z')
    clock.set('2026-03-29T18:10:00Z')
    await stats.save(60)
    clock.set('2026-03-29T18:30:59Z')

    const { days, ...sums } = stats.shown(await stats.week(), clock.now())
    expect(days.map((day) => day.minutes)).toEqual([0, 0, 0, 0, 0, 60, 210])
    // Monday and Tuesday ended before the first save, and have it too. Today has the second one.
    expect(days.map((day) => day.goalMinutes)).toEqual([120, 120, 120, 120, 120, 120, 60])
    expect(sums).toEqual({
      minutes: 270,
      goalMinutes: 780,
      status: 'on track',
      // 26.5 and, of (60 + 315) / 2 = 187.5, 143.6 and, of 1200, 22.5
      percent: 35,
      averageWeekMinutes: 188,
      percentOfAverage: 144,
      percentOfUser: 23,
      firstWeek: '2026-03-02',
      // Without a minute in its second week.
      earlierWeeksMinutes: [60, 0, 315],
      lastWeekMinutes: [0, 150, 0, 120, 45, 0, 0],
    })

    clock.set('2026-03-29T18:31:00Z')
    await app.call(stopFocus, { sessionId: open }, ann)
    clock.set('2026-03-29T22:00:00Z')
    // Monday, 00:00: (60 + 315 + 271) / 3 = 215.3, and every day has the current goal.
    const { days: next, ...nextSums } = stats.shown(await stats.week(), clock.now())
    expect(next[0]).toMatchObject({ date: '2026-03-30', minutes: 0, goalMinutes: 60 })
    expect(nextSums).toMatchObject({ averageWeekMinutes: 215, minutes: 0, goalMinutes: 420, status: 'get deeb' })
  })

  test('count a week once when its first session crosses midnight', async ({ clock, stats }) => {
    await stats.work('2026-03-03T22:30:00Z', '2026-03-03T23:30:00Z')
    clock.set('2026-03-10T09:00:00Z')
    expect((await stats.week()).averageWeekMinutes).toBe(60)
  })

  test('are zero for a new user', async ({ clock, stats }) => {
    const { days, ...sums } = stats.shown(await stats.week(), clock.now())
    expect(days.map((day) => day.minutes)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(sums).toMatchObject({ averageWeekMinutes: null, goalMinutes: 7 * 240, percent: 0, percentOfAverage: null })
    expect(sums).toMatchObject({ firstWeek: null, earlierWeeksMinutes: [], lastWeekMinutes: [0, 0, 0, 0, 0, 0, 0] })
  })

  test('exclude time that a traveller has saved in a later week from the average', async ({ stats }) => {
    // Monday, 01:00 in Apia (UTC+13) is Sunday, 07:00 in Havana, where it is still the week before.
    await stats.work('2026-03-01T12:00:00Z', '2026-03-01T12:30:00Z', 'Pacific/Apia')
    const inHavana = { averageWeekMinutes: null, firstWeek: null, earlierWeeksMinutes: [] }
    expect(await stats.week('America/Havana')).toMatchObject(inHavana)
    expect((await stats.week('Pacific/Apia')).week[0]).toMatchObject({ date: '2026-03-02', savedSeconds: 1800 })
  })

  test('require a known time zone', async ({ app }) => {
    const answer = await app.call(readWeek, { timeZone: 'Europe/Atlantis' }, ann)
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid_time_zone'])
  })
})

describe('an earlier week', () => {
  test('has its days with the goals of that time, also over the end of a year', async ({ app, clock, stats }) => {
    clock.set('2025-12-28T10:00:00Z')
    ann = await makeTraveller(app)
    await stats.save(60)
    await stats.work('2025-12-30T09:00:00Z', '2025-12-30T10:10:00Z')
    // Thursday, 1 January, from 00:30.
    await stats.work('2025-12-31T23:30:00Z', '2026-01-01T00:30:00Z')
    clock.set('2026-01-07T09:00:00Z')
    await stats.save(300)
    const read = await stats.week(BERLIN, ann, '2025-12-29')
    expect(read.week.map(({ date }) => date.slice(5)).join(' ')).toBe('12-29 12-30 12-31 01-01 01-02 01-03 01-04')
    expect(read.week.map(({ savedSeconds }) => savedSeconds / 60)).toEqual([0, 70, 0, 60, 0, 0, 0])
    expect(read.week.map(({ goalMinutes }) => goalMinutes)).toEqual([60, 60, 60, 60, 60, 60, 60])
    expect(read).toMatchObject({ firstWeek: '2025-12-29', earlierWeeksMinutes: [130] })
  })

  test('includes its part of a session that is still open', async ({ clock, stats }) => {
    // Sunday, 23:00 in Berlin, to Monday, 00:30.
    await stats.start('2026-03-01T22:00:00Z')
    clock.set('2026-03-01T23:30:00Z')
    const { days } = stats.shown(await stats.week(BERLIN, ann, '2026-02-23'), clock.now())
    expect(days.map(({ minutes }) => minutes)).toEqual([0, 0, 0, 0, 0, 0, 60])
  })

  test('may be before the first one with time, and is empty then', async ({ stats }) => {
    const { week: days, firstWeek } = await stats.week(BERLIN, ann, '1970-01-05')
    expect(days.map(({ savedSeconds }) => savedSeconds)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect([days[0]?.date, firstWeek]).toEqual(['1970-01-05', null])
  })

  test('is named by a Monday of this or an earlier week of the time zone', async ({ app, clock }) => {
    const asked = async (monday: string, timeZone = BERLIN) => {
      const { status, body, error } = await app.call(readWeek, { timeZone, week: monday }, ann)
      return status === 200 ? body.week[0]?.date : [status, error.code, error.fields?.map(({ path }) => path)]
    }
    // Monday in Berlin, and still Sunday in Havana.
    clock.set('2026-03-02T00:00:00Z')
    expect(await asked('2026-03-02')).toBe('2026-03-02')
    for (const wrong of ['2026-03-09', '2026-02-24', '1969-12-29', '0001-01-01']) {
      expect(await asked(wrong)).toEqual([400, 'invalid_input', ['week']])
    }
    expect(await asked('2026-03-02', 'America/Havana')).toEqual([400, 'invalid_input', ['week']])
    expect(await asked('2026-02-23', 'America/Havana')).toBe('2026-02-23')
  })
})

describe('goals of past days', () => {
  test('a save at midnight counts for the new day, one a millisecond earlier for the old day', async ({
    clock,
    stats,
  }) => {
    // Tuesday ends at 22:00 UTC.
    clock.set('2026-06-16T22:00:00.000Z')
    await stats.save(60)
    clock.set('2026-06-17T21:59:59.999Z')
    await stats.save(300)
    clock.set('2026-06-18T22:00:00.000Z')
    await stats.save(90)
    clock.set('2026-06-19T10:00:00.000Z')
    expect(await stats.goalsOf()).toEqual([300, 300, 300, 300, 90, 90, 90])
  })

  test('concurrent saves leave the same last value in goals and history', async ({ app, clock, stats }) => {
    for (let round = 0; round < 8; round++) {
      clock.set('2026-06-17T10:00:00Z')
      ann = await makeTraveller(app)
      if (round % 2) await stats.save(10)
      await Promise.all(
        [20, 30, 40, 50].map((goalMinutes, device) => {
          // Requests with different times, served in any order.
          clock.set(`2026-06-17T10:00:0${[1, 2, 2, 0][device]}Z`)
          return stats.save(goalMinutes)
        }),
      )
      clock.set('2026-06-17T21:00:00Z')
      const current = new Set(
        (await app.call(readHome, { timeZone: BERLIN }, ann)).body.goals.map((g) => g.goalMinutes),
      )
      expect(current.size).toBe(1)
      clock.set('2026-06-18T10:00:00Z')
      expect((await stats.goalsOf())[2]).toBe([...current][0])
    }
  })

  test('threat 87: goals have 7 rows per local date however often they are saved', async ({ app, clock, stats }) => {
    const rows = statement('test.goal-history', 'select saved_at from daily_goal_history where user_id = :userId')
    clock.set('2026-06-17T10:00:00Z')
    for (let goalMinutes = 1; goalMinutes <= 20; goalMinutes++) {
      clock.advance({ minutes: 10 })
      await stats.save(goalMinutes)
    }
    expect(await app.db.query(rows, { userId: ann.userId })).toHaveLength(7)
    clock.set('2026-06-18T10:00:00Z')
    await stats.save(60)
    expect(await app.db.query(rows, { userId: ann.userId })).toHaveLength(14)
    expect(await stats.goalsOf()).toEqual([20, 20, 20, 60, 60, 60, 60])
  })

  test.for([
    ['minutes later', '2026-06-17T23:00:00Z', BERLIN, '2026-06-17T23:01:00Z', 'America/New_York', [60, 60, 60, 90, 90]],
    [
      'after the day',
      '2026-06-17T14:51:00Z',
      'Australia/Lord_Howe',
      '2026-06-17T23:41:00Z',
      'America/New_York',
      [60, 60, 60, 90, 90],
    ],
    [
      'east of the date line',
      '2026-06-17T10:30:00Z',
      'Pacific/Kiritimati',
      '2026-06-17T22:30:00Z',
      'Pacific/Pago_Pago',
      [60, 60, 60, 90, 90],
    ],
  ] as const)(
    'a past day keeps its goal after a save further west (%s)',
    async ([_name, first, east, second, west, goals], { app, clock, stats }) => {
      clock.set(first)
      await app.call(saveGoals, { goals: everyDay(60), timeZone: east }, ann)
      clock.set(second)
      await app.call(saveGoals, { goals: everyDay(90), timeZone: west }, ann)
      clock.set('2026-06-20T10:00:00Z')
      expect(await stats.goalsOf()).toEqual([...goals, 90, 90])
    },
  )

  test('a save after the clock was set back replaces the previous one', async ({ clock, stats }) => {
    clock.set('2026-06-17T10:00:00Z')
    await stats.save(60)
    clock.set('2026-06-17T09:00:00Z')
    await stats.save(90)
    clock.set('2026-06-18T10:00:00Z')
    expect(await stats.goalsOf()).toEqual([90, 90, 90, 90, 90, 90, 90])
  })
})

test('the read uses indexes and few rows after ten years of history', async ({ app, clock, stats }) => {
  await app.db.script(`
    insert into daily_stats (user_id, date, total_seconds)
      select '${ann.userId}', (date '2016-06-20' + day)::text, 3600 from generate_series(0, 3649) as day;
    insert into daily_stats (user_id, date, total_seconds)
      select id, (date '2006-01-02' + day)::text, 3600 from profiles cross join generate_series(0, 20) as day;
    insert into daily_goal_history (user_id, day_of_week, goal_minutes, saved_at, saved_on)
      select '${ann.userId}', day % 7, 60, timestamptz '2016-06-20 10:00Z' + day * interval '1 day', date '2016-06-20' + day
      from generate_series(0, 3649) as day;
    insert into deeb_sessions (user_id, id, start_time, end_time, capped, cap_answered, time_zone, start_date, next_date,
        next_date_starts_at)
      select '${ann.userId}', gen_random_uuid(), at, at + interval '1 hour', true, true, 'UTC', at::date::text, (at::date + 1)::text,
        at + interval '2 hours'
      from generate_series(timestamptz '2016-06-20 10:00Z', timestamptz '2026-06-17 10:00Z', '1 day') as at;
    analyze`)
  clock.set('2026-06-18T10:00:00Z')
  const query = vi.spyOn(app.db, 'query')
  const { averageWeekMinutes, firstWeek, earlierWeeksMinutes } = await stats.week()
  expect([averageWeekMinutes, firstWeek, earlierWeeksMinutes.length]).toEqual([420, '2006-01-02', 11])
  const [read, params] = query.mock.calls.find(([{ name }]) => name === 'stats.read-week') ?? []
  query.mockRestore()

  const { text, names = [] } = read ?? {}
  const explain = { name: 'test.explain-week', text: `explain (analyze, format json) ${text}`, names }
  const [row] = await app.db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain, params)
  const nodes = row ? nodesOf(row['QUERY PLAN'][0].Plan) : []
  const large = nodes.filter((node) =>
    /^(daily_stats|weekly_stats|daily_goal_history|deeb_sessions)$/.test(node['Relation Name'] ?? ''),
  )
  expect(new Set(large.map((node) => node['Relation Name'])).size).toBe(4)
  for (const node of large) {
    expect(node['Node Type']).not.toBe('Seq Scan')
    const rowsRead = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    expect(rowsRead).toBeLessThanOrEqual(node['Relation Name'] === 'weekly_stats' ? 11 : 7)
  }
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
