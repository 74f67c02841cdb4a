/** After that the lock is stolen: its tab may be suspended. Sending twice is idempotent. */
const LOCK_TIMEOUT_MS = 40_000

let last: Promise<unknown> = Promise.resolve()

/** Runs work on the pending changes of a user while no tab sends them. */
export async function underSendLock<T>(userId: string, work: () => Promise<T>): Promise<T> {
  // Insecure contexts (plain http) have no locks: there a tab serializes only its own work.
  if (!navigator.locks) {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const name = `deeb-switch-queue-${userId}`
  const timeout = AbortSignal.timeout(LOCK_TIMEOUT_MS)
  try {
    return await navigator.locks.request(name, { signal: timeout }, work)
  } catch (error) {
    if (error !== timeout.reason) throw error
    return navigator.locks.request(name, { steal: true }, work)
  }
}
