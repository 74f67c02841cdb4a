import { randomBytes } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import { linkStatusByToken, readStatus, testStatus, unlinkStatus, updateStatus } from '@deeb/core/status/api'
import { expect } from 'vitest'
import { hideChat } from '../admin/hide-chat.ts'
import { statement } from '../db/db.ts'
import { test as base, settingsOfSlack } from '../testing/chat/test.ts'
import { authSessionOf, makeUser } from '../testing/make.ts'
import { begin, comeBack, connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status.ts'

const test = base.extend('settings', { scope: 'file' }, ({ slack }) => settingsOfSlack(slack))

let count = 0
const nextId = () => `U${++count}`

const emailsTo = statement(
  'test.linked-emails',
  'select kind from auth.outbox where recipient = :email order by created_at',
)

test('connects a chat with names and one email, and shows only systems that are set up', async ({ app, slack }) => {
  const user = await makeUser(app)
  expect(await connect(app, user, 'slack', (url) => slack.agree(url, 'UA'))).toBe('slack=connected')
  expect((await app.call(readStatus, {}, user)).body.systems).toMatchObject([
    { system: 'slack', isOffered: true, link: { accountName: 'Member UA', workspaceName: 'Fjordlab', isOn: true } },
  ])
  expect(await app.db.query(emailsTo, { email: user.email })).toEqual([{ kind: 'chat_linked' }])
  expect((await begin(app, user, 'microsoft')).status).toBe(404)
})

test('threat 190: a state connects in the browser that began it only', async ({ app, people, slack }) => {
  const [attacker, victim] = await people(2)
  const ofAttacker = await begin(app, attacker, 'slack')
  const ofVictim = await begin(app, victim, 'slack')
  const link = slack.agree(ofAttacker.url, nextId())
  // The link of the attacker in the browser of the victim, also with the code of the attacker and the state of the victim.
  expect(await comeBack(app, link, ofVictim.cookie)).toBe('slack=expired')
  expect(await comeBack(app, link, '')).toBe('slack=expired')
  expect(await linkOf(app, victim, 'slack')).toBeNull()
  expect(await linkOf(app, attacker, 'slack')).toBeNull()
})

test('threat 191: a state ends after 10 minutes, with its auth session, and for another system', async ({
  app,
  clock,
  slack,
}) => {
  const user = await makeUser(app)
  const late = await begin(app, user, 'slack')
  const link = slack.agree(late.url, nextId())
  const elsewhere = new URL(link.href.replace('/callback/slack', '/callback/google'))
  expect(await comeBack(app, elsewhere, late.cookie)).toBe('google=expired')
  clock.advance({ minutes: 10 })
  expect(await comeBack(app, link, late.cookie)).toBe('slack=expired')

  const other = await makeUser(app)
  const begun = await begin(app, other, 'slack')
  const signOut = statement('test.sign-out', 'delete from auth.sessions where id = :id')
  await app.db.query(signOut, { id: authSessionOf(other) })
  expect(await comeBack(app, slack.agree(begun.url, nextId()), begun.cookie)).toBe('slack=expired')
})

test('threat 191: a code counts once', async ({ app, slack }) => {
  const [user, id] = [await makeUser(app), nextId()]
  const { url, cookie } = await begin(app, user, 'slack')
  const link = slack.agree(url, id)
  expect(await comeBack(app, link, cookie)).toBe('slack=connected')
  expect(await comeBack(app, link, cookie)).toBe('slack=refused')
  expect(await linkOf(app, user, 'slack')).not.toBeNull()
})

test('threat 192: connecting needs a recent re-authentication', async ({ app, clock }) => {
  const user = await makeUser(app)
  clock.advance({ minutes: 16 })
  expect((await begin(app, user, 'slack')).status).toBe(403)
})

test('threat 193: tokens are in no answer, download, log or readable column', async ({ app, slack }) => {
  const [user, id] = [await makeUser(app), nextId()]
  await connect(app, user, 'slack', (url) => slack.agree(url, id))
  const [token = ''] = [...slack.tokens].find(([, { user }]) => user === id) ?? []
  const read = statement('test.links', 'select to_jsonb(status_links)::text as row from status_links')
  const stored = await app.db.query(read)
  const data = (await app.call(readMyData, {}, user)).body
  const answers = [stored, data, await linkOf(app, user, 'slack'), app.log].map((one) => JSON.stringify(one)).join()
  expect(answers).toContain(id)
  expect(answers).not.toContain(token)
  expect(data.status_links?.[0]).not.toHaveProperty('credentials')
  expect(data.status_signals?.[0]).not.toHaveProperty('memo')
})

test('an account of a chat belongs to one person', async ({ app, slack }) => {
  const [ann, bob, id] = [await makeUser(app), await makeUser(app), nextId()]
  await connect(app, ann, 'slack', (url) => slack.agree(url, id))
  expect(await connect(app, bob, 'slack', (url) => slack.agree(url, id))).toBe('slack=taken')
})

test('a denied or failed return connects nothing and says why', async ({ app, slack }) => {
  const user = await makeUser(app)
  const denied = await begin(app, user, 'slack')
  const state = new URL(denied.url).searchParams.get('state') ?? ''
  const back = (query: string) => new URL(`http://deeb/api/status/callback/slack?state=${state}&${query}`)
  expect(await comeBack(app, back('error=access_denied'), denied.cookie)).toBe('slack=denied')
  expect(await comeBack(app, back('code=none'), denied.cookie)).toBe('slack=refused')
  slack.faults.isDown = true
  expect(await comeBack(app, back('code=none'), denied.cookie)).toBe('slack=unavailable')
  slack.faults = {}
})

test('a company that hides a system disconnects its people and no longer offers it', async ({ app, clock, slack }) => {
  const user = await makeUser(app, { email: 'ann@hiding.example' })
  await connect(app, user, 'slack', (url) => slack.agree(url, nextId()))
  const begun = await begin(app, user, 'slack')
  const hidden = { domain: 'hiding.example', systemName: 'slack' }
  await hideChat(app.db, { ...hidden, isHidden: true }, clock.now())
  expect((await app.call(readStatus, {}, user)).body.systems).toEqual([])
  expect((await begin(app, user, 'slack')).status).toBe(404)
  expect(await comeBack(app, slack.agree(begun.url, nextId()), begun.cookie)).toBe('slack=expired')
  await hideChat(app.db, { ...hidden, isHidden: false }, clock.now())
  expect((await app.call(readStatus, {}, user)).body.systems).toMatchObject([{ system: 'slack', link: null }])
})

test('another account replaces the first one, which is revoked', async ({ app, slack }) => {
  const [user, first, second] = [await makeUser(app), nextId(), nextId()]
  await connect(app, user, 'slack', (url) => slack.agree(url, first))
  await connect(app, user, 'slack', (url) => slack.agree(url, second))
  await settle(reconcilerOf(app))
  expect((await linkOf(app, user, 'slack'))?.accountName).toBe(`Member ${second}`)
  const members = [...slack.tokens.values()].map(({ user }) => user)
  expect(members).toContain(second)
  expect(members).not.toContain(first)
})

test('changes, tests and typed connections of what is not connected or offered are not found', async ({ app }) => {
  const user = await makeUser(app)
  const settings = { system: 'slack', isOn: true, withDnd: true, words: null } as const
  expect((await app.call(updateStatus, settings, user)).status).toBe(404)
  expect((await app.call(testStatus, { system: 'slack' }, user)).status).toBe(404)
  expect((await app.call(unlinkStatus, { system: 'slack' }, user)).status).toBe(200)
  const typed = { system: 'zulip', server: 'https://chat.example', email: 'a@b.example', token: 'x' } as const
  expect((await app.call(linkStatusByToken, typed, user)).status).toBe(404)
})

test('after a rotation of the secret the next use encrypts the tokens with the new one', async ({ app, slack }) => {
  const [user, id] = [await makeUser(app), nextId()]
  await connect(app, user, 'slack', (url) => slack.agree(url, id))
  const next = randomBytes(32)
  const withKeys = (...sealKeys: [Buffer, ...Buffer[]]) => ({
    ...app,
    auth: { ...app.auth, keys: { ...app.auth.keys, sealKeys } },
  })
  await switchOn(app, user)
  await settle(reconcilerOf(withKeys(next, ...app.auth.keys.sealKeys)))
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  await app.call(unlinkStatus, { system: 'slack' }, user)
  await settle(reconcilerOf(withKeys(next)))
  expect(slack.shownFor(id).text).toBe('')
})
