/// <reference types="@vitest/browser-playwright" />
import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

/** Emulates these user preferences (media features) for one test. */
export async function emulateMedia(features: Record<string, string>): Promise<void> {
  const set = (list: { name: string; value: string }[]) => cdp().send('Emulation.setEmulatedMedia', { features: list })
  onTestFinished(async () => {
    await set(Object.keys(features).map((name) => ({ name, value: '' })))
  })
  await set(Object.entries(features).map(([name, value]) => ({ name, value })))
}
