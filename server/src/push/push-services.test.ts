import { expect, test } from 'vitest'
import { readPushUrl } from './push-services.ts'

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
