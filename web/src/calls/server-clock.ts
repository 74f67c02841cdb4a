const SAMPLE_TTL_MS = 10 * 60_000
/** Longer than any call takes. Beyond it, the device slept or its clock was set during the call. */
const MAX_ROUND_TRIP_MS = 15_000

/** More than the normal drift between the two clocks of a device. */
const MOVED_MS = 2_000

/** The current estimate of the server's clock. `offsetMs` is how far it is ahead of this device's clock. */
let sample = { offsetMs: 0, roundTripMs: Number.POSITIVE_INFINITY, takenAt: 0 }

/**
 * Updates the clock offset from a response, like NTP: the error is at most half the round trip from `sentAt` to `receivedAt`
 * (ms of this device). Keeps the fastest sample of ten minutes, until one contradicts it because a clock was set.
 */
export function noteServerTime(serverTime: string, sentAt: number, receivedAt: number): void {
  const roundTripMs = receivedAt - sentAt
  if (roundTripMs < 0 || roundTripMs > MAX_ROUND_TRIP_MS) return
  const age = receivedAt - sample.takenAt
  const offsetMs = Date.parse(serverTime) - (sentAt + receivedAt) / 2
  const isOld = age < 0 || age > SAMPLE_TTL_MS
  const contradicts = Math.abs(offsetMs - sample.offsetMs) > (roundTripMs + sample.roundTripMs) / 2
  if (isOld || contradicts || roundTripMs <= sample.roundTripMs) sample = { offsetMs, roundTripMs, takenAt: receivedAt }
}

/** How far the server's clock is ahead of this device's, in ms. 0 until known. */
export function clockOffsetMs(): number {
  return sample.offsetMs
}

/** Uses the offset of an earlier visit until the first response. */
export function restoreClockOffset(offsetMs: number): void {
  if (sample.takenAt === 0) sample = { ...sample, offsetMs }
}

/** This device's clock minus the monotonic clock of the page, which nobody can set. */
const clockDifference = () => Date.now() - performance.now()
let previousDifference = clockDifference()

/**
 * Whether this device's clock was set or the device slept since the last call. The offset may be wrong then, so the next
 * response replaces it.
 */
export function hasClockMoved(): boolean {
  const difference = clockDifference()
  if (Math.abs(difference - previousDifference) < MOVED_MS) return false
  previousDifference = difference
  sample = { ...sample, takenAt: 0 }
  return true
}

/** The current time of the server's clock, so that a device with a wrong clock shows the time that will be saved. */
export function serverNow(): Date {
  return byServerClock(Date.now())
}

/** Converts an instant of this device's clock (ms) to the server's clock. */
export function byServerClock(deviceMs: number): Date {
  return new Date(deviceMs + sample.offsetMs)
}
