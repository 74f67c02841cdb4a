const THURSDAY = 4

/**
 * A clock that starts on the next Thursday at 14:40, local time, and then runs like the real one: the demo shows a working
 * week with a day in progress, at whatever time somebody looks at it. Always ahead of the real clock, so that browsers do not take
 * the demo's tokens for expired ones.
 */
export function thursdayClock(now: Date): () => Date {
  const start = new Date(now)
  start.setDate(now.getDate() + ((THURSDAY - now.getDay() + 7) % 7))
  start.setHours(14, 40, 0, 0)
  if (start < now) start.setDate(start.getDate() + 7)
  const aheadMs = start.getTime() - now.getTime()
  return () => new Date(Date.now() + aheadMs)
}
