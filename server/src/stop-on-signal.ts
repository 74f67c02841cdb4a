const STOP_WITHIN_MS = 10_000

/** Runs `stop` at the first SIGTERM or SIGINT and ends the process, with code 1 if it takes more than 10 seconds. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  async function end(): Promise<void> {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    await stop()
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
