const SAMPLE_LIVES_MS = 10 * 60_000
/** Slower than any call may be: the device slept, or its clock was set, between asking and hearing. */
const SLOWEST_MS = 15_000

/** More than the two clocks of a device ever run apart. */
const MOVED_MS = 2_000

/** What an answer taught of the server's clock. The offset is how far it is ahead of this device's. */
let sample = { offsetMs: 0, roundTripMs: Number.POSITIVE_INFINITY, takenAt: 0 }

/**
 * Learns from an answer: the server stamped it somewhere between `sentAt` and `receivedAt` (ms of this device), so it may
 * be off by half its time. The quickest of the last ten minutes is believed, until one contradicts it: then a clock was
 * set.
 */
export function noteServerTime(serverTime: string, sentAt: number, receivedAt: number): void {
  const roundTripMs = receivedAt - sentAt
  if (roundTripMs < 0 || roundTripMs > SLOWEST_MS) return
  const age = receivedAt - sample.takenAt
  const offsetMs = Date.parse(serverTime) - (sentAt + receivedAt) / 2
  const isOld = age < 0 || age > SAMPLE_LIVES_MS
  const contradicts = Math.abs(offsetMs - sample.offsetMs) > (roundTripMs + sample.roundTripMs) / 2
  if (isOld || contradicts || roundTripMs <= sample.roundTripMs) sample = { offsetMs, roundTripMs, takenAt: receivedAt }
}

/** How far the server's clock is ahead of this device's, as far as it is known. */
export function clockOffsetMs(): number {
  return sample.offsetMs
}

/** Uses the offset of an earlier visit until the first response. */
export function restoreClockOffset(offsetMs: number): void {
  if (sample.takenAt === 0) sample = { ...sample, offsetMs }
}

/** This device's clock against the one that counts since the page began, which nobody can set. */
const clockAgainstPage = () => Date.now() - performance.now()
let wasAgainstPage = clockAgainstPage()

/**
 * Whether this device's clock was set since the last call, or the device slept, while the other clock may stand still. What is
 * known of the server's clock may be wrong then: the next answer is believed.
 */
export function hasClockMoved(): boolean {
  const isAgainstPage = clockAgainstPage()
  if (Math.abs(isAgainstPage - wasAgainstPage) < MOVED_MS) return false
  wasAgainstPage = isAgainstPage
  sample = { ...sample, takenAt: 0 }
  return true
}

/** Now by the server's clock, so that a device whose clock is wrong shows the time that will be saved. */
export function serverNow(): Date {
  return byServerClock(Date.now())
}

/** An instant of this device's clock (ms) by the server's, as far as it is known. */
export function byServerClock(deviceMs: number): Date {
  return new Date(deviceMs + sample.offsetMs)
}
