import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base
  /** The status of a wrong guess from `remoteAddress`. */
  .extend(
    'guess',
    ({ authApp }) =>
      async function guess(email: string, remoteAddress: string, headers = {}) {
        const url = '/auth/v1/token?grant_type=password'
        const payload = { email, password: 'not the password' }
        return (await authApp.app.inject({ method: 'POST', url, remoteAddress, headers, payload })).statusCode
      },
  )

describe('threat 28: bypassing the rate limits', () => {
  test('threat 28: X-Forwarded-For is ignored without a trusted proxy', async ({ guess }) => {
    const pretend = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` })
    const guesses = Array.from({ length: 31 }, (_, n) => guess(`x${n}@fjordlab.example`, '198.51.100.1', pretend(n)))
    expect(await Promise.all(guesses)).toEqual([...Array(30).fill(400), 429])
  })

  test('threat 28: addresses of one IPv6 network count as one, and mapped ones as IPv4', async ({ guess }) => {
    for (let n = 1; n <= 6; n++) expect(await guess('six@fjordlab.example', `2001:db8:9:9::${n}`)).toBe(400)
    expect(await guess('six@fjordlab.example', '2001:db8:9:9:ffff::1')).toBe(429)
    for (let n = 1; n <= 6; n++) await guess('four@fjordlab.example', n % 2 ? '192.0.2.9' : '::ffff:192.0.2.9')
    expect(await guess('four@fjordlab.example', '::ffff:192.0.2.9')).toBe(429)
  })

  test('threat 28: a trusted proxy: the right-most untrusted address counts', async ({ startAuthApp }) => {
    const behind = await startAuthApp({ TRUST_PROXY: '10.0.0.0/8' })
    const read = statement('test.ips', 'select ip from auth.audit_log order by id desc limit 1')
    const seen = async (remoteAddress: string, forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor }
      const payload = { email: 'ann@fjordlab.example', password: PASSWORD }
      await behind.app.inject({ method: 'POST', url: '/auth/v1/signup', remoteAddress, headers, payload })
      return (await behind.auth.db.query<{ ip: string }>(read))[0]?.ip
    }
    expect(await seen('10.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
    expect(await seen('10.0.0.1', '127.0.0.1, 198.51.100.7, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
    expect(await seen('10.0.0.1', '203.0.113.9:50123')).toBe('203.0.113.9')
    expect(await seen('10.0.0.1', '2001:DB8::9')).toBe('2001:db8:0:0:0:0:0:9')
    expect(await seen('10.0.0.1', 'unknown')).toBe('10.0.0.1')
    expect(await seen('::ffff:10.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
    // Not through the proxy: not trusted.
    expect(await seen('192.0.2.66', '203.0.113.9')).toBe('192.0.2.66')
  })
})
