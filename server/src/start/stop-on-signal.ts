import type { RunningServer } from './start-server.ts'

const STOP_WITHIN_MS = 10_000

/**
 * Graceful shutdown: runs `stop` at the first SIGTERM or SIGINT, then exits; after 10 seconds with code 1. SIGINT is a person at a
 * terminal who waits, so only SIGTERM drains.
 */
export function stopOnSignal(stop: RunningServer['stop']): void {
  let stopping = false
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    await stop({ isDraining: signal === 'SIGTERM' })
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
