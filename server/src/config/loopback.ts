/** Whether an address or host name is loopback, so that only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(::ffff:)?127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)
}
