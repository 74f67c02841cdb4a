import * as texts from '@deeb/texts/cli'
import { EXIT, Problem } from './exit.ts'

/** The origin of a deeb server from what a user typed, such as the address of one of its pages. */
export function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Problem(EXIT.usage, texts.serverInvalid({ text }))
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new Problem(EXIT.usage, texts.serverUnencrypted({ host: url.host }))
  }
  return url.origin
}

/** Names that only the administrator of this machine can point elsewhere. URL writes 127.1 and 0x7f.1 as 127.0.0.1. */
function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
