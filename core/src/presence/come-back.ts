const ROUNDED_MS = 5 * 60_000

/**
 * Returns the time to come back to a person in deeb mode, rounded to 5 minutes; null without such a time. Also null as soon as it is
 * past: nobody is shown as late.
 */
export function comeBackAt({ until }: { until?: string | null | undefined }, now: Date): Date | null {
  if (!until) return null
  const rounded = new Date(Math.round(Date.parse(until) / ROUNDED_MS) * ROUNDED_MS)
  return rounded > now && new Date(until) > now ? rounded : null
}
