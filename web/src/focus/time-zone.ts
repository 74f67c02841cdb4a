/** The device's time zone, an IANA name. Asked anew each time: a person may travel with the page open. */
export function currentTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
