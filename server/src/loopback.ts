/** Whether an address or host name is this machine's own: what is there is out of everybody else's reach. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(::ffff:)?127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)
}
