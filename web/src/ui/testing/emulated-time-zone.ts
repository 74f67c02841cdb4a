/// <reference types="@vitest/browser-playwright" />
import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

/** For one test, the device is in this zone, an IANA name. */
export async function emulateTimeZone(timeZone: string): Promise<void> {
  const set = (timezoneId: string) => cdp().send('Emulation.setTimezoneOverride', { timezoneId })
  onTestFinished(async () => {
    await set('')
  })
  await set(timeZone)
}
