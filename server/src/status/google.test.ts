import { unlinkStatus } from '@deeb/core/status/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GOOGLE_CLIENT, type Google, startGoogle } from '../testing/chat/google.ts'
import { makeUser } from '../testing/make.ts'
import { begin, chatAt, comeBack, connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status-bed.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let google: Google

beforeAll(async () => {
  google = await startGoogle({
    now: () => testApp.clock.now(),
    callback: () => `${testApp.auth.config.publicUrl}/api/status/callback/google`,
  })
  const { id: clientId, secret: clientSecret } = GOOGLE_CLIENT
  const urls = { accountsUrl: google.origin, tokenUrl: google.origin, chatUrl: google.origin }
  testApp = await startTestApp({}, undefined, {
    configure: chatAt({
      google: { clientId, clientSecret, ...urls },
      slack: { clientId, clientSecret, url: google.origin },
    }),
  })
})
afterAll(async () => {
  await testApp.close()
  await google.close()
})

test('Google Chat is not to be disturbed in deeb mode, and active afterwards; disconnecting revokes the tokens', async () => {
  const user = await makeUser(testApp)
  const half = await makeUser(testApp)
  expect(await connect(testApp, half, 'google', (url) => google.agree(url, { scope: 'openid email' }))).toBe(
    'google=refused',
  )
  expect(await connect(testApp, user, 'google', (url) => google.agree(url))).toBe('google=connected')
  expect(await linkOf(testApp, user, 'google')).toMatchObject({ accountName: 'ann@fjordlab.example' })
  const reconciler = reconcilerOf(testApp)
  testApp.clock.advance({ hours: 2 })
  const switchOff = await switchOn(testApp, user, 45)
  await settle(reconciler)
  const endsAt = testApp.clock.now().getTime() + 45 * 60_000
  expect(google.state).toEqual({ state: 'DO_NOT_DISTURB', endsAt })
  await switchOff()
  await settle(reconciler)
  expect(google.state.state).toBe('ACTIVE')

  // By hand, until tonight.
  google.state = { state: 'DO_NOT_DISTURB', endsAt: endsAt + 8 * 3600_000 }
  const switchOffAgain = await switchOn(testApp, user)
  await settle(reconciler)
  await switchOffAgain()
  await settle(reconciler)
  expect(google.state).toEqual({ state: 'DO_NOT_DISTURB', endsAt: endsAt + 8 * 3600_000 })

  await testApp.call(unlinkStatus, { system: 'google' }, user)
  await settle(reconciler)
  expect(google.isRevoked).toBe(true)
  expect(reconciler.warnings).toEqual([])
})

test('threat 191: the state of one system is of no use for another one', async () => {
  const user = await makeUser(testApp)
  const { url, cookie } = await begin(testApp, user, 'google')
  const elsewhere = new URL(google.agree(url).href.replace('/callback/google', '/callback/slack'))
  expect(await comeBack(testApp, elsewhere, cookie)).toBe('slack=expired')
})
