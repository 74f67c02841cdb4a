import { unlinkStatus } from '@deeb/core/status/api'
import { expect } from 'vitest'
import { GOOGLE_CLIENT } from '../testing/chat/google.ts'
import { test as base } from '../testing/chat/test.ts'
import { makeUser } from '../testing/make.ts'
import { begin, chatAt, comeBack, connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status.ts'

const test = base.extend('stores', { scope: 'file' }, ({ google: { origin } }) => {
  const { id: clientId, secret: clientSecret } = GOOGLE_CLIENT
  const urls = { accountsUrl: origin, tokenUrl: origin, chatUrl: origin }
  const slack = { clientId, clientSecret, url: origin }
  return { configure: chatAt({ google: { clientId, clientSecret, ...urls }, slack }) }
})

test('Google Chat is not to be disturbed in deeb mode, and active afterwards; disconnecting revokes the tokens', async ({
  app,
  clock,
  google,
}) => {
  const user = await makeUser(app)
  const half = await makeUser(app)
  expect(await connect(app, half, 'google', (url) => google.agree(url, { scope: 'openid email' }))).toBe(
    'google=refused',
  )
  expect(await connect(app, user, 'google', (url) => google.agree(url))).toBe('google=connected')
  expect(await linkOf(app, user, 'google')).toMatchObject({ accountName: 'ann@fjordlab.example' })
  const reconciler = reconcilerOf(app)
  clock.advance({ hours: 2 })
  const switchOff = await switchOn(app, user, 45)
  await settle(reconciler)
  const endsAt = clock.now().getTime() + 45 * 60_000
  expect(google.state).toEqual({ state: 'DO_NOT_DISTURB', endsAt })
  await switchOff()
  await settle(reconciler)
  expect(google.state.state).toBe('ACTIVE')

  // By hand, until tonight.
  google.state = { state: 'DO_NOT_DISTURB', endsAt: endsAt + 8 * 3600_000 }
  const switchOffAgain = await switchOn(app, user)
  await settle(reconciler)
  await switchOffAgain()
  await settle(reconciler)
  expect(google.state).toEqual({ state: 'DO_NOT_DISTURB', endsAt: endsAt + 8 * 3600_000 })

  await app.call(unlinkStatus, { system: 'google' }, user)
  await settle(reconciler)
  expect(google.isRevoked).toBe(true)
  expect(reconciler.warnings).toEqual([])
})

test('threat 191: the state of one system is of no use for another one', async ({ app, google }) => {
  const user = await makeUser(app)
  const { url, cookie } = await begin(app, user, 'google')
  const elsewhere = new URL(google.agree(url).href.replace('/callback/google', '/callback/slack'))
  expect(await comeBack(app, elsewhere, cookie)).toBe('slack=expired')
})
