import { updateLanguage } from '@deeb/core/account/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { MICROSOFT_CLIENT } from '../testing/chat/microsoft.ts'
import { test as base } from '../testing/chat/test.ts'
import { makeUser } from '../testing/make.ts'
import { chatAt, connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status.ts'

const test = base
  .extend('stores', { scope: 'file' }, ({ microsoft: { origin } }) => {
    const { id: clientId, secret: clientSecret } = MICROSOFT_CLIENT
    const urls = { loginUrl: origin, graphUrl: origin }
    return { configure: chatAt({ microsoft: { clientId, clientSecret, tenant: 'organizations', ...urls } }) }
  })
  .extend(
    'member',
    ({ app, microsoft }) =>
      async function member() {
        const [user, id] = [await makeUser(app), `user-${++count}`]
        expect(await connect(app, user, 'microsoft', (url) => microsoft.agree(url, id))).toBe('microsoft=connected')
        return { user, id, reconciler: reconcilerOf(app) }
      },
  )

let count = 0

const refusalEmails = statement(
  'test.refused-emails',
  "select subject from auth.outbox where recipient = :email and kind = 'chat_refused'",
)

test('a switch sets message and presence with an end, and clears them', async ({ app, clock, microsoft, member }) => {
  const { user, id, reconciler } = await member()
  clock.set('2026-06-15T08:00:00Z')
  const switchOff = await switchOn(app, user, 45)
  await settle(reconciler)
  expect(microsoft.shownFor(id)).toEqual({ availability: 'DoNotDisturb', text: 'in deeb mode until ~10:45' })
  expect(microsoft.user(id).preferred?.endsAt).toBe(Date.parse('2026-06-15T08:45:00Z'))
  expect(microsoft.user(id).message?.endsAt).toBe(Date.parse('2026-06-15T08:45:00Z'))
  await switchOff()
  await settle(reconciler)
  expect(microsoft.shownFor(id)).toEqual({ availability: 'Available', text: '' })
  expect(reconciler.warnings).toEqual([])
})

test('an access token is renewed before it ends', async ({ app, clock, microsoft, member }) => {
  const { user, id, reconciler } = await member()
  clock.advance({ hours: 3 })
  await switchOn(app, user)
  await settle(reconciler)
  expect(microsoft.shownFor(id).text).toBe('in deeb mode')
})

test('refused tokens are deleted, with one email, and Settings says so', async ({ app, microsoft, member }) => {
  const { user, id, reconciler } = await member()
  microsoft.revoke(id)
  await switchOn(app, user)
  await settle(reconciler)
  expect(await linkOf(app, user, 'microsoft')).toMatchObject({ isRefused: true, last: { result: 'failed' } })
  expect(await app.db.query(refusalEmails, { email: user.email })).toEqual([
    { subject: 'Microsoft Teams is no longer connected to deeb' },
  ])
})

test('a person who has chosen a language gets that email in it', async ({ app, microsoft, member }) => {
  const { user, id, reconciler } = await member()
  await app.call(updateLanguage, { language: 'es' }, user)
  microsoft.revoke(id)
  await switchOn(app, user)
  await settle(reconciler)
  expect(await app.db.query(refusalEmails, { email: user.email })).toEqual([
    { subject: 'Microsoft Teams ya no está conectado a deeb' },
  ])
})

test('threat 197: a wrong client secret disconnects nobody, and the status follows once it is right', async ({
  app,
  clock,
  microsoft,
  member,
}) => {
  const { user, id, reconciler } = await member()
  clock.advance({ hours: 3 })
  microsoft.clientSecret = 'the next secret'
  await switchOn(app, user)
  await settle(reconciler)
  expect(await linkOf(app, user, 'microsoft')).toMatchObject({ isRefused: false, last: { result: 'later' } })
  microsoft.clientSecret = MICROSOFT_CLIENT.secret
  clock.advance({ minutes: 1 })
  await settle(reconciler)
  expect(microsoft.shownFor(id).text).toBe('in deeb mode')
})

test('threat 199: "do not disturb" of the person stays as it is', async ({ app, microsoft, member }) => {
  const { user, id, reconciler } = await member()
  microsoft.user(id).ownAvailability = 'DoNotDisturb'
  const switchOff = await switchOn(app, user)
  await settle(reconciler)
  expect(microsoft.user(id).preferred).toBeNull()
  await switchOff()
  await settle(reconciler)
  expect(microsoft.shownFor(id).availability).toBe('DoNotDisturb')
})

test('an offline person is not shown, and one who goes offline is cleared at the end of the session', async ({
  app,
  clock,
  microsoft,
  member,
}) => {
  const { user, id, reconciler } = await member()
  microsoft.user(id).ownAvailability = 'Offline'
  const switchOff = await switchOn(app, user)
  await settle(reconciler)
  expect(microsoft.user(id).preferred).toBeNull()
  microsoft.user(id).ownAvailability = 'Available'
  clock.advance({ minutes: 16 })
  await settle(reconciler)
  expect(microsoft.shownFor(id).availability).toBe('DoNotDisturb')
  microsoft.user(id).ownAvailability = 'Offline'
  await switchOff()
  await settle(reconciler)
  expect(microsoft.user(id).preferred).toBeNull()
})
