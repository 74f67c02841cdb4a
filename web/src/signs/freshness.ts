/**
 * Until when the state on the screen was confirmed, in ms of a clock of this page. It never overestimates: the first state of a stream
 * was read after its request was sent, and each later one so much after the first as the server says. So no clock is compared with
 * another, and a state that a network held back counts as old.
 */
export interface Freshness {
  /** A new stream is requested now. */
  ask(nowMs: number): void
  /** A state has arrived that was true at `asOfMs` by the server's clock. */
  confirm(asOfMs: number, nowMs: number): void
  confirmedAtMs(): number
}

export function createFreshness(startMs: number): Freshness {
  let askedAtMs = startMs
  let confirmedAtMs = startMs
  /** The clock of the page minus that of the server; null before the first state of a stream. */
  let offsetMs: number | null = null
  return {
    ask(nowMs) {
      askedAtMs = nowMs
      offsetMs = null
    },
    confirm(asOfMs, nowMs) {
      offsetMs ??= askedAtMs - asOfMs
      confirmedAtMs = Math.min(asOfMs + offsetMs, nowMs)
    },
    confirmedAtMs: () => confirmedAtMs,
  }
}

/**
 * A clock that never goes back and counts the sleep of the device: of two readings, the clock that went further is right. Call it at
 * least every few seconds.
 */
export function createSteadyClock(
  wall: () => number = () => Date.now(),
  monotonic: () => number = () => performance.now(),
): () => number {
  let [lastWall, lastMonotonic, totalMs] = [wall(), monotonic(), 0]
  return () => {
    const [newWall, newMonotonic] = [wall(), monotonic()]
    totalMs += Math.max(newWall - lastWall, newMonotonic - lastMonotonic, 0)
    lastWall = newWall
    lastMonotonic = newMonotonic
    return totalMs
  }
}
