import { arePressesStored } from '../focus/use-switch-focus.ts'

/** A database that does not answer must not hold the page. */
const PATIENCE_MS = 2_000

/** Loads the page again. The last presses of the switch are stored first, and no more are taken: they would be lost. */
export async function reload(): Promise<void> {
  document.body.inert = true
  await Promise.race([arePressesStored(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  location.reload()
}
