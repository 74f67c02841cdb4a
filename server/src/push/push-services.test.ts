import { expect, test } from 'vitest'
import { isPublicAddress, readPushUrl } from './push-services.ts'

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
  'https://web.push.apple.com/QABC',
  'https://db5p.notify.windows.com/w/?token=abc',
])('%s is a push service', (url) => {
  expect(readPushUrl(url, { push: 'on' })?.href).toBe(url)
})

test.each([
  'http://push.example/a',
  'https://push.example:8443/a',
  'https://user:password@push.example/a',
  'https://203.0.113.7/a',
  'https://2130706433/a',
  'https://0x7f.1/a',
  'https://[::1]/a',
  'https://[::ffff:10.0.0.1]/a',
  'https://localhost/a',
  'https://intranet/a',
  'ftp://push.example/a',
  'file:///etc/passwd',
  'push.example',
])('threat 130: %s is not', (url) => {
  expect(readPushUrl(url, { push: 'on' })).toBe(null)
})

test('PUSH=local allows this machine besides, and no other', () => {
  expect(readPushUrl('http://127.0.0.1:8080/a', { push: 'local' })?.port).toBe('8080')
  expect(readPushUrl('http://10.0.0.1/a', { push: 'local' })).toBe(null)
  expect(readPushUrl('https://push.example/a', { push: 'local' })?.hostname).toBe('push.example')
})

test('threat 130: addresses of this machine, of private networks and of cloud metadata are not public', () => {
  const addresses = [
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    ...['255.255.255.255', '::1', '::', 'fe80::1', 'fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'not an address', ''],
  ]
  expect(addresses.filter(isPublicAddress)).toEqual([])
  expect(['8.8.8.8', '172.32.0.1', '2a00:1450:4001::200e', '2620:fe::fe'].every(isPublicAddress)).toBe(true)
})
