/** How far the server's clock is ahead of this device's, in ms. */
let offsetMs = 0

/** Learns from an answer: the server stamped it somewhere between `sentAt` and `receivedAt` (ms of this device). */
export function noteServerTime(serverTime: string, sentAt: number, receivedAt: number): void {
  offsetMs = Date.parse(serverTime) - (sentAt + receivedAt) / 2
}

/** Now by the server's clock, so that a device whose clock is wrong shows the time that will be saved. */
export function serverNow(): Date {
  return new Date(Date.now() + offsetMs)
}
