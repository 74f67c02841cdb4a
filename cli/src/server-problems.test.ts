import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import { expect, test } from 'vitest'
import { noResponse, problemOf } from './server-problems.ts'
import { clockNote } from './state-text.ts'

const now = new Date('2026-06-15T09:00:00.000Z')

test.each([
  ['CERT_NOT_YET_VALID', 'Is the clock of this computer right?'],
  ['CERT_HAS_EXPIRED', 'is not valid at Mon, 15 Jun 2026 09:00:00 GMT'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not trusted'],
  ['EAI_AGAIN', 'whether this computer has a network'],
  ['ENETUNREACH', 'cannot be reached (ENETUNREACH)'],
])('noResponse explains %s', (code, sentence) => {
  const error = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  expect(noResponse('https://deeb.example', error, now).message).toContain(sentence)
})

test.each(['https://x;reboot;', 'https://x$(reboot)', "https://x'reboot'", 'https://x`reboot`', 'reboot:now'])(
  'problemOf shows no address that a shell would run: %s',
  async (location) => {
    const response = new Response(null, { status: 302, headers: { location } })
    const { message } = await problemOf('https://deeb.example', response)
    expect(message).toBe('deeb.example redirects to another address.')
  },
)

test.each([
  ['17', 17],
  ['9999999', 3_600],
  ['Infinity', 3_600],
  ['Mon, 15 Jun 2026 09:00:00 GMT', 60],
])('problemOf waits as long as Retry-After says, at most an hour: %s', async (value, seconds) => {
  const headers = { [OLDEST_CLIENT_HEADER]: '0.1.0', 'retry-after': value }
  const response = Response.json({ code: 'too_many_attempts' }, { status: 429, headers })
  expect((await problemOf('https://deeb.example', response)).retryAfterSeconds).toBe(seconds)
})

test.each([
  ['2026-06-15T09:01:59.000Z', null],
  ['2026-06-15T08:53:00.000Z', '0h 7m ahead'],
  ['2026-06-15T12:00:00.000Z', '3h 0m behind'],
])('clockNote compares with the server: %s', (serverTime, note) => {
  expect(clockNote(serverTime, now)).toEqual(note && expect.stringContaining(note))
})
