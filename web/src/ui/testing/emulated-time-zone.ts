/// <reference types="@vitest/browser-playwright" />
import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

/** Emulates the device's time zone, an IANA name, for one test. */
export async function emulateTimeZone(timeZone: string): Promise<void> {
  const set = (timezoneId: string) => cdp().send('Emulation.setTimezoneOverride', { timezoneId })
  onTestFinished(async () => {
    await set('')
  })
  await set(timeZone)
}
