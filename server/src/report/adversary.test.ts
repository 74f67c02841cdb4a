import { randomUUID } from 'node:crypto'
import { dateAfter } from '@deeb/core/focus/split-by-day'
import { mondayAfter } from '@deeb/core/stats/weeks'
import { describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { createRandom } from '../demo/random.ts'
import { belief, evidence, logResults, MAX_BELIEF, median, width, without } from '../testing/adversary.ts'
import { addFocusTo, beginReport, focus, makePeople, REPORT, storedWeeks, WEEK } from '../testing/report.ts'
import { times } from '../testing/runs.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { countWeeks } from './count-weeks.ts'
import { setInReport } from './set-in-report.ts'
import { sumUp } from './sum-up.ts'

const BLUR = REPORT.blur
const deletePerson = statement('test.delete-colleague', 'delete from auth.users where id = :userId')

describe('threat 142: somebody knows the hours of everybody but Ann', () => {
  const WEEKS = times(8, 52)
  const COMPANIES = times(4, 16)

  /*
   * In every second company Ann is not counted: the adversary wants to know whether she is. The colleagues join, leave, opt out
   * and correct the past, and the job runs too often.
   */
  test(`the stored weeks of ${COMPANIES} companies of 14 people tell little`, async () => {
    const db = await openTestDatabase()
    const beliefs: number[] = []
    const widths: number[] = []
    const quarters: number[] = []
    const years: number[] = []
    for (let n = 0; n < COMPANIES; n++) {
      const domain = `${randomUUID()}.example`
      const random = createRandom(n + 1)
      const [ann = '', ...colleagues] = await makePeople(db, domain, 14)
      await beginReport(db, domain)
      const isCounted = n % 2 === 0
      let all = 0
      for (let week = 0; week < WEEKS; week++) {
        const monday = mondayAfter(WEEK, week)
        const busy = [ann, ...colleagues.filter(() => !random.oneIn(4))]
        const days = busy.map((userId) => ({
          ...{ userId, date: dateAfter(monday, random.between(0, 6)), minutes: random.between(60, 900) },
        }))
        await addFocusTo(db, days)
        if (week % 4 === 1) colleagues.push(...(await makePeople(db, domain, 1)))
        if (week % 4 === 2) await db.query(deletePerson, { userId: colleagues.shift() })
        if (week % 4 === 3) await setInReport(db, { userId: colleagues[0] ?? '' }, { inReport: false })
        await setInReport(db, { userId: ann }, { inReport: false })
        const others = await sumUp(db, domain, monday)
        await setInReport(db, { userId: ann }, { inReport: true })
        const part = without(await sumUp(db, domain, monday), others)
        await setInReport(db, { userId: ann }, { inReport: isCounted })
        const thursday = new Date(dateAfter(monday, 10))
        await countWeeks(db, REPORT, thursday)
        const row = (await storedWeeks(db, domain)).at(-1)
        if (row?.week_start !== monday) throw new Error(`The week ${monday} was not counted.`)
        // Somebody corrects the past, and the job runs again.
        const [from, to] = [23, 24].map((hour) => new Date(Date.parse(monday) + hour * 3_600_000))
        if (from && to) await focus(db, colleagues.at(-1) ?? '', from, to)
        await countWeeks(db, REPORT, new Date(thursday.getTime() + 3_600_000))
        expect((await storedWeeks(db, domain)).at(-1)).toEqual(row)
        const left = without({ ...row, goals: row.goals ?? 0 }, others)
        const found = evidence(left, part, BLUR)
        beliefs.push(isCounted ? belief(found) : 1 - belief(found))
        widths.push(width([left], BLUR))
        all += found
        if (week === Math.min(12, WEEKS - 1)) quarters.push(isCounted ? belief(all) : 1 - belief(all))
      }
      years.push(isCounted ? belief(all) : 1 - belief(all))
    }
    await db.close()
    const right = beliefs.filter((sure) => sure > 0.5).length / beliefs.length
    logResults('real weeks', {
      ...{ max: Math.max(...beliefs), mean: beliefs.reduce((sum, sure) => sum + sure, 0) / beliefs.length, right },
      ...{ 'median width': median(widths), 'median after 13 weeks': median(quarters), 'after 52': median(years) },
    })
    expect(Math.max(...beliefs.map((sure) => Math.max(sure, 1 - sure)))).toBeLessThanOrEqual(MAX_BELIEF + 1e-9)
    expect(median(widths)).toBeGreaterThanOrEqual(1500)
    // Without noise, each guess would be right.
    expect(right).toBeLessThan(0.9)
  }, 3_600_000)
})
