import { randomBytes } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import { linkStatusByToken, readStatus, testStatus, unlinkStatus, updateStatus } from '@deeb/core/status/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hideChat } from '../admin/hide-chat.ts'
import { statement } from '../db/db.ts'
import { SLACK_CLIENT, type Slack, startSlack } from '../testing/chat/slack.ts'
import { authSessionOf, makeUser } from '../testing/make.ts'
import { begin, comeBack, connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status-bed.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let slack: Slack
let count = 0
const nextId = () => `U${++count}`

beforeAll(async () => {
  slack = await startSlack({
    now: () => testApp.clock.now(),
    callback: () => `${testApp.auth.config.publicUrl}/api/status/callback/slack`,
  })
  const { id, secret } = SLACK_CLIENT
  testApp = await startTestApp({ SLACK_CLIENT_ID: id, SLACK_CLIENT_SECRET: secret, SLACK_URL: slack.origin })
})
afterAll(async () => {
  await testApp.close()
  await slack.close()
})

const emailsTo = statement(
  'test.linked-emails',
  'select kind from auth.outbox where recipient = :email order by created_at',
)

test('connects a chat with names and one email, and shows only systems that are set up', async () => {
  const user = await makeUser(testApp)
  expect(await connect(testApp, user, 'slack', (url) => slack.agree(url, 'UA'))).toBe('slack=connected')
  expect((await testApp.call(readStatus, {}, user)).body.systems).toMatchObject([
    { system: 'slack', isOffered: true, link: { accountName: 'Member UA', workspaceName: 'Fjordlab', isOn: true } },
  ])
  expect(await testApp.db.query(emailsTo, { email: user.email })).toEqual([{ kind: 'chat_linked' }])
  expect((await begin(testApp, user, 'microsoft')).status).toBe(404)
})

test('threat 190: a state connects in the browser that began it only', async () => {
  const [attacker, victim] = [await makeUser(testApp), await makeUser(testApp)]
  const ofAttacker = await begin(testApp, attacker, 'slack')
  const ofVictim = await begin(testApp, victim, 'slack')
  const link = slack.agree(ofAttacker.url, nextId())
  // The link of the attacker in the browser of the victim, also with the code of the attacker and the state of the victim.
  expect(await comeBack(testApp, link, ofVictim.cookie)).toBe('slack=expired')
  expect(await comeBack(testApp, link, '')).toBe('slack=expired')
  expect(await linkOf(testApp, victim, 'slack')).toBeNull()
  expect(await linkOf(testApp, attacker, 'slack')).toBeNull()
})

test('threat 191: a state ends after 10 minutes, with its auth session, and for another system', async () => {
  const user = await makeUser(testApp)
  const late = await begin(testApp, user, 'slack')
  const link = slack.agree(late.url, nextId())
  const elsewhere = new URL(link.href.replace('/callback/slack', '/callback/google'))
  expect(await comeBack(testApp, elsewhere, late.cookie)).toBe('google=expired')
  testApp.clock.advance({ minutes: 10 })
  expect(await comeBack(testApp, link, late.cookie)).toBe('slack=expired')

  const other = await makeUser(testApp)
  const begun = await begin(testApp, other, 'slack')
  const signOut = statement('test.sign-out', 'delete from auth.sessions where id = :id')
  await testApp.db.query(signOut, { id: authSessionOf(other) })
  expect(await comeBack(testApp, slack.agree(begun.url, nextId()), begun.cookie)).toBe('slack=expired')
})

test('threat 191: a code counts once', async () => {
  const [user, id] = [await makeUser(testApp), nextId()]
  const { url, cookie } = await begin(testApp, user, 'slack')
  const link = slack.agree(url, id)
  expect(await comeBack(testApp, link, cookie)).toBe('slack=connected')
  expect(await comeBack(testApp, link, cookie)).toBe('slack=refused')
  expect(await linkOf(testApp, user, 'slack')).not.toBeNull()
})

test('threat 192: connecting needs a recent re-authentication', async () => {
  const user = await makeUser(testApp)
  testApp.clock.advance({ minutes: 16 })
  expect((await begin(testApp, user, 'slack')).status).toBe(403)
})

test('threat 193: tokens are in no answer, download, log or readable column', async () => {
  const [user, id] = [await makeUser(testApp), nextId()]
  await connect(testApp, user, 'slack', (url) => slack.agree(url, id))
  const [token = ''] = [...slack.tokens].find(([, { user }]) => user === id) ?? []
  const read = statement('test.links', 'select to_jsonb(status_links)::text as row from status_links')
  const stored = await testApp.db.query(read)
  const data = (await testApp.call(readMyData, {}, user)).body
  const answers = [stored, data, await linkOf(testApp, user, 'slack'), testApp.log]
    .map((one) => JSON.stringify(one))
    .join()
  expect(answers).toContain(id)
  expect(answers).not.toContain(token)
  expect(data.status_links?.[0]).not.toHaveProperty('credentials')
  expect(data.status_signals?.[0]).not.toHaveProperty('memo')
})

test('an account of a chat belongs to one person', async () => {
  const [ann, bob, id] = [await makeUser(testApp), await makeUser(testApp), nextId()]
  await connect(testApp, ann, 'slack', (url) => slack.agree(url, id))
  expect(await connect(testApp, bob, 'slack', (url) => slack.agree(url, id))).toBe('slack=taken')
})

test('a denied or failed return connects nothing and says why', async () => {
  const user = await makeUser(testApp)
  const denied = await begin(testApp, user, 'slack')
  const state = new URL(denied.url).searchParams.get('state') ?? ''
  const back = (query: string) => new URL(`http://deeb/api/status/callback/slack?state=${state}&${query}`)
  expect(await comeBack(testApp, back('error=access_denied'), denied.cookie)).toBe('slack=denied')
  expect(await comeBack(testApp, back('code=none'), denied.cookie)).toBe('slack=refused')
  slack.faults.isDown = true
  expect(await comeBack(testApp, back('code=none'), denied.cookie)).toBe('slack=unavailable')
  slack.faults = {}
})

test('a company that hides a system disconnects its people and no longer offers it', async () => {
  const user = await makeUser(testApp, { email: 'ann@hiding.example' })
  await connect(testApp, user, 'slack', (url) => slack.agree(url, nextId()))
  const begun = await begin(testApp, user, 'slack')
  const hidden = { domain: 'hiding.example', systemName: 'slack' }
  await hideChat(testApp.db, { ...hidden, isHidden: true }, testApp.clock.now())
  expect((await testApp.call(readStatus, {}, user)).body.systems).toEqual([])
  expect((await begin(testApp, user, 'slack')).status).toBe(404)
  expect(await comeBack(testApp, slack.agree(begun.url, nextId()), begun.cookie)).toBe('slack=expired')
  await hideChat(testApp.db, { ...hidden, isHidden: false }, testApp.clock.now())
  expect((await testApp.call(readStatus, {}, user)).body.systems).toMatchObject([{ system: 'slack', link: null }])
})

test('another account replaces the first one, which is revoked', async () => {
  const [user, first, second] = [await makeUser(testApp), nextId(), nextId()]
  await connect(testApp, user, 'slack', (url) => slack.agree(url, first))
  await connect(testApp, user, 'slack', (url) => slack.agree(url, second))
  await settle(reconcilerOf(testApp))
  expect((await linkOf(testApp, user, 'slack'))?.accountName).toBe(`Member ${second}`)
  const members = [...slack.tokens.values()].map(({ user }) => user)
  expect(members).toContain(second)
  expect(members).not.toContain(first)
})

test('changes, tests and typed connections of what is not connected or offered are not found', async () => {
  const user = await makeUser(testApp)
  const settings = { system: 'slack', isOn: true, withDnd: true, words: null } as const
  expect((await testApp.call(updateStatus, settings, user)).status).toBe(404)
  expect((await testApp.call(testStatus, { system: 'slack' }, user)).status).toBe(404)
  expect((await testApp.call(unlinkStatus, { system: 'slack' }, user)).status).toBe(200)
  const typed = { system: 'zulip', server: 'https://chat.example', email: 'a@b.example', token: 'x' } as const
  expect((await testApp.call(linkStatusByToken, typed, user)).status).toBe(404)
})

test('after a rotation of the secret the next use encrypts the tokens with the new one', async () => {
  const [user, id] = [await makeUser(testApp), nextId()]
  await connect(testApp, user, 'slack', (url) => slack.agree(url, id))
  const next = randomBytes(32)
  const withKeys = (...sealKeys: [Buffer, ...Buffer[]]) => ({
    ...testApp,
    auth: { ...testApp.auth, keys: { ...testApp.auth.keys, sealKeys } },
  })
  await switchOn(testApp, user)
  await settle(reconcilerOf(withKeys(next, ...testApp.auth.keys.sealKeys)))
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  await testApp.call(unlinkStatus, { system: 'slack' }, user)
  await settle(reconcilerOf(withKeys(next)))
  expect(slack.shownFor(id).text).toBe('')
})
