import { describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createIpBuckets } from './ip-buckets.ts'
import { callerNetwork, ipNetwork, normalizeIp } from './ip-network.ts'
import { createRateLimitStore } from './rate-limit-store.ts'
import { createTokenBucket } from './token-bucket.ts'

const START = Date.parse('2026-06-15T09:00:00.000Z')
const after = (seconds: number) => new Date(START + seconds * 1000)

test.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:50123', '192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7', '192.0.2.7'],
  ['[0:0:0:0:0:ffff:192.0.2.7]:443', '192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2:0:0:0:9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:ffff::]:443', '2001:db8:1:2:ffff:0:0:0', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3:0:0:0:9', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0:0:0:0:1', '0:0:0:0::/64'],
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
])('threat 28: %s is the address %s and counts as %s', (text, address, key) => {
  expect(normalizeIp(text)).toBe(address)
  expect(ipNetwork(address)).toBe(key)
})

test('threat 28: an IPv6 address belongs to a /48, an IPv4 address to itself', () => {
  expect(callerNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48')
  expect(callerNetwork('2001:db8:1:ffff:0:0:0:1')).toBe('2001:db8:1::/48')
  expect(callerNetwork('192.0.2.7')).toBe('192.0.2.7')
})

describe('threat 28: a /48', () => {
  const RULE = { name: 'tries', burst: 10, seconds: 100 }
  const inNetwork = (n: number) => `2001:db8:1:${n.toString(16)}:0:0:0:1`

  test('threat 28: has the limit of 16 callers, not 65,536', async () => {
    const { take } = createIpBuckets(createRateLimitStore())
    const waits: number[] = []
    for (let n = 0; n < 200; n++) waits.push(take(RULE, inNetwork(n), after(0)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(160)
    expect(waits.at(-1)).toBe(1)
    // Other sites and IPv4 are not limited.
    expect(take(RULE, '2001:db8:2:1:0:0:0:1', after(0))).toBe(0)
    expect(take(RULE, '192.0.2.7', after(0))).toBe(0)
  })

  test('threat 28: is not used up by rejected requests of one /64', async () => {
    const { take } = createIpBuckets(createRateLimitStore())
    for (let n = 0; n < 1_000; n++) take(RULE, inNetwork(1), after(0))
    for (let n = 0; n < 150; n++) expect(take(RULE, inNetwork(2 + n), after(0))).toBe(0)
  })

  test('threat 28: refunds the /64 when it rejects, and is refunded with it', async () => {
    const { take, refund } = createIpBuckets(createRateLimitStore())
    for (let n = 0; n < 160; n++) take(RULE, inNetwork(Math.floor(n / 10)), after(0))
    for (let n = 0; n < 20; n++) expect(take(RULE, inNetwork(99), after(0))).toBe(1)
    for (let n = 0; n < 10; n++) refund(RULE, inNetwork(0))
    for (let n = 0; n < 10; n++) expect(take(RULE, inNetwork(99), after(0))).toBe(0)
    expect(take(RULE, inNetwork(99), after(0))).toBe(10)
  })
})

test.each(['', 'unknown', '_hidden', '010.0.0.1', '1.2.3', '1.2.3.4, 5.6.7.8', '::g', '[::1', 'evil.example'])(
  'threat 28: %j is not an IP address',
  (text) => expect(normalizeIp(text)).toBeNull(),
)

test.each(['true', '0', '1', 'false', '10.0.0.0/0', '10.0.0.0/33', '10.0.0', 'proxy.example', '::1/129', ','])(
  'threat 28: TRUST_PROXY=%s stops the start with an error message',
  (text) => {
    expect(() => readConfig({ TRUST_PROXY: text })).toThrow(
      `TRUST_PROXY must be addresses of proxies such as 10.0.0.0/8, loopback or uniquelocal, not "${text}".`,
    )
  },
)

test('TRUST_PROXY is a list of addresses, ranges and names', () => {
  expect(readConfig({}).trustProxy).toBe(false)
  expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, loopback,2001:db8::1' }).trustProxy).toEqual([
    '10.0.0.0/8',
    'loopback',
    '2001:db8::1',
  ])
})

describe('a token bucket', () => {
  test('allows its burst immediately and refills evenly', () => {
    const bucket = createTokenBucket({ burst: 30, seconds: 300 })
    expect(Array.from({ length: 30 }, () => bucket.take('a', after(0)))).toEqual(Array(30).fill(0))
    expect(bucket.take('a', after(0))).toBe(10)
    expect(bucket.take('a', after(9))).toBe(1)
    expect(bucket.take('a', after(10))).toBe(0)
    expect(bucket.take('a', after(10))).toBe(10)
    expect(bucket.take('b', after(10))).toBe(0)
  })

  test('never holds more than its burst', () => {
    const bucket = createTokenBucket({ burst: 2, seconds: 10 })
    for (const second of [0, 1000, 1000]) expect(bucket.take('a', after(second))).toBe(0)
    bucket.refund('a')
    bucket.refund('a')
    bucket.refund('a')
    expect([1, 2, 3].map(() => bucket.take('a', after(1000)))).toEqual([0, 0, 5])
  })

  test('works after the clock is set back', () => {
    const bucket = createTokenBucket({ burst: 1, seconds: 10 })
    expect([5, 0, 10, 15].map((second) => bucket.take('a', after(second)))).toEqual([0, 10, 5, 0])
  })
})
