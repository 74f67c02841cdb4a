/** A UTC offset, such as `+05:30` or `-03:00`: up to 14 hours. */
export const UTC_OFFSET = /^([+-])(0\d|1[0-3]|14(?=:00)):([0-5]\d)$/

/** The UTC offset of this device at an instant. */
export function utcOffsetAt(instant: Date): string {
  const minutes = -instant.getTimezoneOffset()
  const size = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16)
  return `${minutes < 0 ? '-' : '+'}${size}`
}

/**
 * The time zone of this device. Its name is the offset where the device cannot tell a name, as in a container, on a kiosk or by
 * remote desktop.
 */
export function deviceZone(now: Date): { timeZone: string; utcOffset: string } {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const utcOffset = utcOffsetAt(now)
  return { timeZone: timeZone && timeZone !== 'Etc/Unknown' ? timeZone : utcOffset, utcOffset }
}
