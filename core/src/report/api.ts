import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Int, LocalDate } from '../formats.ts'

/** A figure of the report: the true one is within `margin` in 9 of 10 cases. Both are rounded. */
const Estimate = v.object({ value: Int, margin: Int })

/** The figures of a company, the same for everybody in it. Each is a mean of its last weeks. */
export const Report = v.object({
  /** The Monday of the first of these weeks. */
  from: LocalDate,
  /** The Sunday of the last of these weeks. */
  to: LocalDate,
  /** How many weeks were averaged. */
  weeks: Int,
  /** People a week with at least one minute. */
  people: Estimate,
  /** Per person and week with focus time, to a quarter of an hour. */
  averageWeekMinutes: Estimate,
  /** In how many of ten such weeks people reached the sum of their daily goals; null if that is uncertain or off. */
  goalTenths: v.nullable(Int),
  /** How many weeks the bars are of: the last 4, or up to 13 where these are too few, also if the figures above are of 4. */
  barWeeks: Int,
  /** Percent of the focus time on Monday to Friday before 8, 8 to 10, …, 16 to 18, after 18; null if that is uncertain. */
  times: v.nullable(v.array(Int)),
  /** Percent of the focus time on Monday, …, Friday, on the weekend, in the same way. */
  days: v.nullable(v.array(Int)),
  /** People in the last four weeks against the four before; null with fewer than eight weeks. */
  trend: v.nullable(v.picklist(['more', 'same', 'fewer'])),
  /** People a week as means of up to four weeks, by the Monday of the last of them. In chronological order. */
  peopleByWeek: v.array(v.object({ ...Estimate.entries, week: LocalDate })),
})
export type Report = v.InferOutput<typeof Report>

/**
 * Why there are figures or none: the server counts no weeks (`off`), the caller has no company, it has fewer than ten accounts, its
 * first week is not counted yet, its figures are smaller than their margin, or they are shown.
 */
const ReportState = v.picklist(['off', 'no_company', 'too_small', 'starts', 'too_few', 'shown'])

export const readCompany = endpoint({
  method: 'GET',
  path: '/api/company',
  summary: 'Read the report of the company of the caller.',
  input: v.object({}),
  output: v.object({
    /** Null without a company. */
    domain: v.nullable(v.string()),
    /** Confirmed accounts of the company, those who are not counted included. */
    members: Int,
    /** Whether the caller is counted. */
    inReport: v.boolean(),
    state: ReportState,
    /** The Monday from which weeks are counted; null until the company has ten accounts. */
    firstWeek: v.nullable(LocalDate),
    /** The mean size of the noise of the coming weeks, in people. */
    blur: Int,
    /** Null unless `shown`. */
    report: v.nullable(Report),
  }),
})

export const setInReport = endpoint({
  method: 'PUT',
  path: '/api/profile/in-report',
  summary: 'Be counted in the report of the company, or not: in every week that is not counted yet. Idempotent.',
  input: v.object({ inReport: v.boolean() }),
  output: v.object({ inReport: v.boolean() }),
})

/** Every counted week of the company of the caller as it is stored, as CSV. */
export const COMPANY_WEEKS_PATH = '/api/company/weeks.csv'
