import { updateLanguage } from '@deeb/core/account/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { MICROSOFT_CLIENT, type Microsoft, startMicrosoft } from '../testing/chat/microsoft.ts'
import { makeUser } from '../testing/make.ts'
import { chatAt, connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status-bed.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let teams: Microsoft
let count = 0

beforeAll(async () => {
  teams = await startMicrosoft({
    now: () => testApp.clock.now(),
    callback: () => `${testApp.auth.config.publicUrl}/api/status/callback/microsoft`,
  })
  const { id: clientId, secret: clientSecret } = MICROSOFT_CLIENT
  const urls = { loginUrl: teams.origin, graphUrl: teams.origin }
  const microsoft = { clientId, clientSecret, tenant: 'organizations', ...urls }
  testApp = await startTestApp({}, undefined, { configure: chatAt({ microsoft }) })
})
afterAll(async () => {
  await testApp.close()
  await teams.close()
})

async function member() {
  const [user, id] = [await makeUser(testApp), `user-${++count}`]
  expect(await connect(testApp, user, 'microsoft', (url) => teams.agree(url, id))).toBe('microsoft=connected')
  return { user, id, reconciler: reconcilerOf(testApp) }
}

const refusalEmails = statement(
  'test.refused-emails',
  "select subject from auth.outbox where recipient = :email and kind = 'chat_refused'",
)

test('a switch sets message and presence with an end, and clears them', async () => {
  const { user, id, reconciler } = await member()
  testApp.clock.set('2026-06-15T08:00:00Z')
  const switchOff = await switchOn(testApp, user, 45)
  await settle(reconciler)
  expect(teams.shownFor(id)).toEqual({ availability: 'DoNotDisturb', text: 'in deeb mode until ~10:45' })
  expect(teams.user(id).preferred?.endsAt).toBe(Date.parse('2026-06-15T08:45:00Z'))
  expect(teams.user(id).message?.endsAt).toBe(Date.parse('2026-06-15T08:45:00Z'))
  await switchOff()
  await settle(reconciler)
  expect(teams.shownFor(id)).toEqual({ availability: 'Available', text: '' })
  expect(reconciler.warnings).toEqual([])
})

test('an access token is renewed before it ends', async () => {
  const { user, id, reconciler } = await member()
  testApp.clock.advance({ hours: 3 })
  await switchOn(testApp, user)
  await settle(reconciler)
  expect(teams.shownFor(id).text).toBe('in deeb mode')
})

test('refused tokens are deleted, with one email, and Settings says so', async () => {
  const { user, id, reconciler } = await member()
  teams.revoke(id)
  await switchOn(testApp, user)
  await settle(reconciler)
  expect(await linkOf(testApp, user, 'microsoft')).toMatchObject({ isRefused: true, last: { result: 'failed' } })
  expect(await testApp.db.query(refusalEmails, { email: user.email })).toEqual([
    { subject: 'Microsoft Teams is no longer connected to deeb' },
  ])
})

test('a person who has chosen a language gets that email in it', async () => {
  const { user, id, reconciler } = await member()
  await testApp.call(updateLanguage, { language: 'es' }, user)
  teams.revoke(id)
  await switchOn(testApp, user)
  await settle(reconciler)
  expect(await testApp.db.query(refusalEmails, { email: user.email })).toEqual([
    { subject: 'Microsoft Teams ya no está conectado a deeb' },
  ])
})

test('threat 197: a wrong client secret disconnects nobody, and the status follows once it is right', async () => {
  const { user, id, reconciler } = await member()
  testApp.clock.advance({ hours: 3 })
  teams.clientSecret = 'the next secret'
  await switchOn(testApp, user)
  await settle(reconciler)
  expect(await linkOf(testApp, user, 'microsoft')).toMatchObject({ isRefused: false, last: { result: 'later' } })
  teams.clientSecret = MICROSOFT_CLIENT.secret
  testApp.clock.advance({ minutes: 1 })
  await settle(reconciler)
  expect(teams.shownFor(id).text).toBe('in deeb mode')
})

test('threat 199: "do not disturb" of the person stays as it is', async () => {
  const { user, id, reconciler } = await member()
  teams.user(id).ownAvailability = 'DoNotDisturb'
  const switchOff = await switchOn(testApp, user)
  await settle(reconciler)
  expect(teams.user(id).preferred).toBeNull()
  await switchOff()
  await settle(reconciler)
  expect(teams.shownFor(id).availability).toBe('DoNotDisturb')
})

test('an offline person is not shown, and one who goes offline is cleared at the end of the session', async () => {
  const { user, id, reconciler } = await member()
  teams.user(id).ownAvailability = 'Offline'
  const switchOff = await switchOn(testApp, user)
  await settle(reconciler)
  expect(teams.user(id).preferred).toBeNull()
  teams.user(id).ownAvailability = 'Available'
  testApp.clock.advance({ minutes: 16 })
  await settle(reconciler)
  expect(teams.shownFor(id).availability).toBe('DoNotDisturb')
  teams.user(id).ownAvailability = 'Offline'
  await switchOff()
  await settle(reconciler)
  expect(teams.user(id).preferred).toBeNull()
})
