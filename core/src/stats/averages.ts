/*
 * Example values for the average user, until there are enough users for a real average. The screen labels them as an example.
 */

/** Minutes per week of the average user. */
export const AVERAGE_USER_WEEK_MINUTES = 1400

/** Minutes of the average user in the current week, for comparison with the user's week. */
export const AVERAGE_USER_THIS_WEEK_MINUTES = 1200

/**
 * The mean of weekly sums in whole minutes; null if there are no weeks. The caller leaves out weeks without a minute, so that a
 * holiday does not lower the mean.
 */
export function averageWeekMinutes(weeks: { totalMinutes: number; count: number }): number | null {
  return weeks.count === 0 ? null : Math.round(weeks.totalMinutes / weeks.count)
}
