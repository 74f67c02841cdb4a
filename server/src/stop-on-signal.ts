const STOP_WITHIN_MS = 10_000

/** Graceful shutdown: runs `stop` at the first SIGTERM or SIGINT, then exits; after 10 seconds with code 1. */
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
