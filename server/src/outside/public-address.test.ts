import { expect, test } from 'vitest'
import { isInRanges, isPublicAddress } from './public-address.ts'

const NOT_PUBLIC = {
  'this machine': ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::'],
  'private networks': ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  'shared by customers of a provider': ['100.64.0.1', '100.127.255.255'],
  'one link': ['169.254.1.1', 'fe80::1', 'febf::1'],
  'cloud metadata': ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'],
  'reserved or for tests': ['192.0.0.8', '198.18.0.1', '198.19.255.255', '240.0.0.1', '255.255.255.255', '100::1'],
  'IPv4 written as IPv6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:10.0.0.1', '::127.0.0.1', '::8.8.8.8'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:a00:1::1', '192.88.99.1', '2001::1', '2001:0:5ef5:79fd::1'],
  'not given out': ['4000::1', '8000::1', '5f00::1'],
  'no address': ['', 'localhost', '127.1', '0x7f000001', '2130706433', '010.0.0.1'],
}

test.each(Object.entries(NOT_PUBLIC))('threat 180: %s is not public', (_kind, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})

test('addresses of the Internet are public', () => {
  const addresses = [
    '8.8.8.8',
    '168.63.129.17',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '2a00:1450:4001::200e',
    '2620:fe::fe',
  ]
  expect(addresses.filter(isPublicAddress)).toEqual(addresses)
})

test('an address is in a range of its own version only', () => {
  expect(isInRanges('10.2.3.4', ['192.168.0.0/16', '10.0.0.0/8'])).toBe(true)
  expect(isInRanges('fd00::1', ['10.0.0.0/8', 'fd00::/8'])).toBe(true)
  for (const address of ['11.0.0.1', '::ffff:10.2.3.4', 'fe80::1', '10.2']) {
    expect(isInRanges(address, ['10.0.0.0/8', 'fd00::/8'])).toBe(false)
  }
})
