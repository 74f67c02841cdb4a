import { arePressesStored } from '../focus/use-switch-focus.ts'

/** IndexedDB may never answer. */
const TIMEOUT_MS = 2_000

/** Reloads the page after the last presses of the switch are stored. Further presses are blocked: they would be lost. */
export async function reload(): Promise<void> {
  document.body.inert = true
  await Promise.race([arePressesStored(), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))])
  location.reload()
}
