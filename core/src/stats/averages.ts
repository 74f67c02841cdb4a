/*
 * Sample figures, until there are enough people to average. The screen says so beside them; nothing else knows them.
 */

/** What the average user does in a week. */
export const AVERAGE_USER_WEEK_MINUTES = 1400

/** What the average user has done in the current week; one's own week is compared with it. */
export const AVERAGE_USER_THIS_WEEK_MINUTES = 1200

/**
 * The mean of weekly sums in whole minutes; null before there is a week to average. Weeks without a minute do not count,
 * so a holiday does not lower it.
 */
export function averageWeekMinutes(weeks: { totalMinutes: number; count: number }): number | null {
  return weeks.count === 0 ? null : Math.round(weeks.totalMinutes / weeks.count)
}
