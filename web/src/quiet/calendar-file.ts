import { nextOccurrence, type QuietTime } from '@deeb/core/circles/quiet-times'
import { localDateOf } from '@deeb/core/focus/split-by-day'
import * as texts from '@deeb/texts/quiet'
import { serverNow } from '../calls/server-clock.ts'
import { download } from '../device/download.ts'

const DAY_NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Saves the quiet times of a circle as an iCalendar file: one weekly event for each. */
export function saveCalendarFile(circleId: string, timeZone: string, times: readonly QuietTime[]): void {
  download('deeb.ics', calendarFile(circleId, timeZone, times, serverNow()), 'text/calendar')
}

/**
 * The text of that file. It has the name of the time zone and not its rules (RFC 7809): calendars know it. No value is a text of a person,
 * so nothing has to be escaped or folded.
 */
export function calendarFile(circleId: string, timeZone: string, times: readonly QuietTime[], now: Date): string {
  const events = times.flatMap((time) => {
    const date = localDateOf(nextOccurrence(time, timeZone, now).startsAt, timeZone)
    const byDay = time.days.map((day) => DAY_NAMES[day]).join()
    return [
      'BEGIN:VEVENT',
      `UID:${circleId}-${time.days.join('')}-${time.from}-${time.to}@deeb`,
      `DTSTAMP:${now.toISOString().replace(/[-:]|\.\d+/g, '')}`,
      `DTSTART;TZID=${timeZone}:${clockText(date, time.from)}`,
      `DTEND;TZID=${timeZone}:${clockText(date, time.to)}`,
      `RRULE:FREQ=WEEKLY;BYDAY=${byDay}`,
      `SUMMARY:${texts.event()}`,
      'END:VEVENT',
    ]
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//deeb//deeb//EN', ...events, 'END:VCALENDAR', ''].join('\r\n')
}

/** `20261201T090000`: what the clock shows at these minutes since midnight, also on a day on which it does not. */
function clockText(date: string, minutes: number): string {
  return new Date(Date.parse(date) + minutes * 60_000).toISOString().slice(0, 19).replace(/[-:]/g, '')
}
