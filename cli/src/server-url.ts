import * as texts from '@deeb/texts/cli'
import { EXIT, Problem } from './exit.ts'

/** The origin of a deeb server from what a user typed, such as the address of one of its pages. */
export function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !isWebAddress(url) || url.username !== '' || url.password !== '') {
    throw new Problem(EXIT.usage, texts.serverInvalid({ text }))
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new Problem(EXIT.usage, texts.serverUnencrypted({ host: url.host }))
  }
  return url.origin
}

/** Whether it is an address of the web with an ordinary host. URL accepts others, with quotes and what a shell acts on. */
export function isWebAddress({ protocol, host }: URL): boolean {
  return ['http:', 'https:'].includes(protocol) && /^[\w.:[\]-]+$/.test(host)
}

/** Names that only the administrator of this machine can point elsewhere. URL writes 127.1 and 0x7f.1 as 127.0.0.1. */
function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
