/** Zones for tests: some whose clocks change as in Berlin, some by half an hour, at midnight, or over a whole date. */
export const ZONES = [
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'America/Los_Angeles',
  'Europe/Berlin',
  'America/Havana',
  'Africa/Cairo',
  'America/Santiago',
] as const

const calendars = new Map<string, Intl.DateTimeFormat>()

/** The date as Intl formats it. The code under test computes it from the UTC offset. */
export function dateAt(instantMs: number, timeZone: string): string {
  let calendar = calendars.get(timeZone)
  if (!calendar) {
    calendar = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    calendars.set(timeZone, calendar)
  }
  const [month, day, year] = calendar.format(instantMs).split('/')
  return `${year}-${month}-${day}`
}
