import { readHome } from '@deeb/core/home/api'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { APPS } from '../testing/apps.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

const ANDROID = '/.well-known/assetlinks.json'
const IOS = '/.well-known/apple-app-site-association'
const ORIGINS = ['https://localhost', 'capacitor://localhost', 'https://evil.example']

let testApp: TestApp | undefined
afterEach(async () => {
  await testApp?.close()
  testApp = undefined
})

async function serverWith(env: NodeJS.ProcessEnv) {
  testApp = await startTestApp(env)
  const { app } = testApp
  return {
    ask: (url: string) => app.inject({ url }),
    async readers() {
      const asked = ORIGINS.map(async (origin) => {
        const { headers } = await app.inject({ method: 'OPTIONS', url: readHome.path, headers: { origin } })
        return headers['access-control-allow-origin']
      })
      return (await Promise.all(asked)).filter(Boolean)
    },
  }
}

test('a server without native apps has no app links and allows no app origin', async () => {
  const { ask, readers } = await serverWith({})
  expect((await ask(ANDROID)).statusCode).toBe(404)
  expect((await ask(IOS)).statusCode).toBe(404)
  expect(await readers()).toEqual([])
})

test('an Android app gets app links and CORS, and no other app does', async () => {
  const { ask, readers } = await serverWith({ ANDROID_APP: APPS.ANDROID_APP })
  const answer = await ask(ANDROID)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':')
  expect(answer.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.deeb',
        sha256_cert_fingerprints: [fingerprint, fingerprint],
      },
    },
  ])
  expect((await ask(IOS)).statusCode).toBe(404)
  expect(await readers()).toEqual(['https://localhost'])
})

test('an iOS app gets the pages of email links and CORS, and no other app does', async () => {
  const { ask, readers } = await serverWith({ IOS_APP_ID: APPS.IOS_APP_ID })
  const answer = await ask(IOS)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(answer.json()).toEqual({
    applinks: {
      details: [
        {
          appIDs: ['ABCDE12345.com.example.deeb'],
          components: [
            { '/': '/app/confirm' },
            { '/': '/app/reset-password' },
            { '/': '/app/sso' },
            { '/': '/app/circle' },
            { '/': '/app/invite' },
            { '/': '/t' },
          ],
        },
      ],
    },
  })
  expect((await ask(ANDROID)).statusCode).toBe(404)
  expect(await readers()).toEqual(['capacitor://localhost'])
})

describe('an invalid setting is refused with one sentence:', () => {
  test.each(['deeb', 'com.example.deeb', 'com.example.deeb AB:CD', `com.example.deeb ${'AB'.repeat(32)}`])(
    'ANDROID_APP=%s',
    (text) => {
      expect(() => readConfig({ ANDROID_APP: text })).toThrow(/^ANDROID_APP must be [^\n]*\.$/)
    },
  )
  test.each(['com.example.deeb', 'ABCDE12345', 'ABC.com.example.deeb', 'ABCDE12345.com.example.*'])(
    'IOS_APP_ID=%s',
    (text) => {
      expect(() => readConfig({ IOS_APP_ID: text })).toThrow(/^IOS_APP_ID must be [^\n]*\.$/)
    },
  )
})
