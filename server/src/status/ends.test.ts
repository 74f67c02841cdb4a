import { deleteAccount, endOtherAuthSessions } from '@deeb/core/account/api'
import { unlinkStatus } from '@deeb/core/status/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hideChat } from '../admin/hide-chat.ts'
import { blockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { deactivateAccount } from '../scim/account.ts'
import { SLACK_CLIENT, type Slack, startSlack } from '../testing/chat/slack.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status-bed.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let slack: Slack
let count = 0

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

/** A person in deeb mode whose status says so. */
async function shown(email = `ann@company-${++count}.example`): Promise<{ user: MadeUser; id: string }> {
  const [user, id] = [await makeUser(testApp, { email }), `U${++count}`]
  await connect(testApp, user, 'slack', (url) => slack.agree(url, id, `T${count}`))
  await switchOn(testApp, user)
  await settle(reconcilerOf(testApp))
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  return { user, id }
}

const left = statement('test.links-left', 'select account_id from status_links where account_id = :id')
const tokensOf = (member: string) => [...slack.tokens.values()].filter(({ user }) => user === member)

const ENDS: Record<string, (user: MadeUser) => Promise<unknown>> = {
  'disconnecting it': (user) => testApp.call(unlinkStatus, { system: 'slack' }, user),
  'deleting the account': (user) => testApp.call(deleteAccount, { password: PASSWORD }, user),
  'a block': ({ email }) => blockUser(testApp.db, email, testApp.clock.now()),
  'the directory of the company': ({ userId }) => deactivateAccount(testApp.db, userId, testApp.clock.now()),
  'a move to another company': async ({ userId }) =>
    moveProfile(
      testApp.db,
      { userId, email: 'ann@elsewhere.example' },
      await testApp.auth.companyPolicy(),
      testApp.clock.now(),
    ),
  'the company, which hides the system': ({ email }) =>
    hideChat(
      testApp.db,
      { domain: email.split('@')[1] ?? '', systemName: 'slack', isHidden: true },
      testApp.clock.now(),
    ),
}

test.each(Object.entries(ENDS))(
  'threat 198: %s clears the status and revokes and deletes the tokens',
  async (_, end) => {
    const { user, id } = await shown()
    await end(user)
    await settle(reconcilerOf(testApp))
    expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
    expect(tokensOf(id)).toEqual([])
    expect(await testApp.db.query(left, { id })).toEqual([])
  },
)

test('threat 198: while the chat is down, clearing is retried; an hour after the end the tokens are deleted in any case', async () => {
  const { user, id } = await shown()
  slack.faults.isDown = true
  await testApp.call(unlinkStatus, { system: 'slack' }, user)
  await settle(reconcilerOf(testApp))
  expect(await testApp.db.query(left, { id })).toHaveLength(1)
  const backdate = statement(
    'test.backdate-end',
    "update status_links set ended_at = :now::timestamptz - interval '59 minutes' where account_id = :id",
  )
  await testApp.db.query(backdate, { id, now: testApp.clock.now() })
  await cleanUp(testApp.db, testApp.clock.now())
  expect(await testApp.db.query(left, { id })).toHaveLength(1)
  testApp.clock.advance({ minutes: 2 })
  await cleanUp(testApp.db, testApp.clock.now())
  expect(await testApp.db.query(left, { id })).toEqual([])
  slack.faults = {}
  testApp.clock.advance({ hours: 2 })
  expect(slack.shownFor(id).text).toBe('')
})

test('an ended link keeps no name and no words', async () => {
  const { user, id } = await shown()
  slack.faults.isDown = true
  await testApp.call(unlinkStatus, { system: 'slack' }, user)
  const read = statement(
    'test.ended-link',
    'select user_id, account_name, workspace_name, words, is_on from status_links where account_id = :id',
  )
  expect(await testApp.db.query(read, { id })).toEqual([
    { user_id: null, account_name: null, workspace_name: null, words: null, is_on: false },
  ])
  slack.faults = {}
  await settle(reconcilerOf(testApp))
})

test('connecting the same account again right after disconnecting it keeps the new connection', async () => {
  const { user, id } = await shown()
  await testApp.call(unlinkStatus, { system: 'slack' }, user)
  await connect(testApp, user, 'slack', (url) => slack.agree(url, id, slack.user(id).team))
  await settle(reconcilerOf(testApp))
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  expect(await linkOf(testApp, user, 'slack')).toMatchObject({ isRefused: false, isOn: true })
  expect(tokensOf(id)).toHaveLength(1)
})

test('signing out everywhere else leaves the connection', async () => {
  const { user } = await shown()
  await testApp.call(endOtherAuthSessions, {}, user)
  expect(await linkOf(testApp, user, 'slack')).toMatchObject({ isOn: true })
})
