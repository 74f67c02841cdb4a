import { deleteAccount, endOtherAuthSessions } from '@deeb/core/account/api'
import { unlinkStatus } from '@deeb/core/status/api'
import { expect } from 'vitest'
import { hideChat } from '../admin/hide-chat.ts'
import { blockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { deactivateAccount } from '../scim/account.ts'
import { test as base, settingsOfSlack } from '../testing/chat/test.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { connect, linkOf, reconcilerOf, settle, switchOn } from '../testing/status.ts'
import type { TestApp } from '../testing/test-app.ts'

const test = base
  .extend('settings', { scope: 'file' }, ({ slack }) => settingsOfSlack(slack))
  .extend('chat', ({ app, slack }) => {
    /** A person in deeb mode whose status says so. */
    async function shown(email = `ann@company-${++count}.example`): Promise<{ user: MadeUser; id: string }> {
      const [user, id] = [await makeUser(app, { email }), `U${++count}`]
      await connect(app, user, 'slack', (url) => slack.agree(url, id, `T${count}`))
      await switchOn(app, user)
      await settle(reconcilerOf(app))
      expect(slack.shownFor(id).text).toBe('in deeb mode')
      return { user, id }
    }
    const tokensOf = (member: string) => [...slack.tokens.values()].filter(({ user }) => user === member)
    return { shown, tokensOf }
  })

let count = 0

const left = statement('test.links-left', 'select account_id from status_links where account_id = :id')

const ENDS: Record<string, (app: TestApp, user: MadeUser) => Promise<unknown>> = {
  'disconnecting it': (app, user) => app.call(unlinkStatus, { system: 'slack' }, user),
  'deleting the account': (app, user) => app.call(deleteAccount, { password: PASSWORD }, user),
  'a block': (app, { email }) => blockUser(app.db, email, app.clock.now()),
  'the directory of the company': (app, { userId }) => deactivateAccount(app.db, userId, app.clock.now()),
  'a move to another company': async (app, { userId }) =>
    moveProfile(app.db, { userId, email: 'ann@elsewhere.example' }, await app.auth.companyPolicy(), app.clock.now()),
  'the company, which hides the system': (app, { email }) =>
    hideChat(app.db, { domain: email.split('@')[1] ?? '', systemName: 'slack', isHidden: true }, app.clock.now()),
}

test.for(Object.entries(ENDS))(
  'threat 198: %s clears the status and revokes and deletes the tokens',
  async ([_, end], { app, slack, chat }) => {
    const { user, id } = await chat.shown()
    await end(app, user)
    await settle(reconcilerOf(app))
    expect(slack.shownFor(id)).toEqual({ text: '', emoji: '', isSnoozed: false })
    expect(chat.tokensOf(id)).toEqual([])
    expect(await app.db.query(left, { id })).toEqual([])
  },
)

test('threat 198: while the chat is down, clearing is retried; an hour after the end the tokens are deleted in any case', async ({
  app,
  clock,
  slack,
  chat,
}) => {
  const { user, id } = await chat.shown()
  slack.faults.isDown = true
  await app.call(unlinkStatus, { system: 'slack' }, user)
  await settle(reconcilerOf(app))
  expect(await app.db.query(left, { id })).toHaveLength(1)
  const backdate = statement(
    'test.backdate-end',
    "update status_links set ended_at = :now::timestamptz - interval '59 minutes' where account_id = :id",
  )
  await app.db.query(backdate, { id, now: clock.now() })
  await cleanUp(app.db, clock.now())
  expect(await app.db.query(left, { id })).toHaveLength(1)
  clock.advance({ minutes: 2 })
  await cleanUp(app.db, clock.now())
  expect(await app.db.query(left, { id })).toEqual([])
  slack.faults = {}
  clock.advance({ hours: 2 })
  expect(slack.shownFor(id).text).toBe('')
})

test('an ended link keeps no name and no words', async ({ app, slack, chat }) => {
  const { user, id } = await chat.shown()
  slack.faults.isDown = true
  await app.call(unlinkStatus, { system: 'slack' }, user)
  const read = statement(
    'test.ended-link',
    'select user_id, account_name, workspace_name, words, is_on from status_links where account_id = :id',
  )
  expect(await app.db.query(read, { id })).toEqual([
    { user_id: null, account_name: null, workspace_name: null, words: null, is_on: false },
  ])
  slack.faults = {}
  await settle(reconcilerOf(app))
})

test('connecting the same account again right after disconnecting it keeps the new connection', async ({
  app,
  slack,
  chat,
}) => {
  const { user, id } = await chat.shown()
  await app.call(unlinkStatus, { system: 'slack' }, user)
  await connect(app, user, 'slack', (url) => slack.agree(url, id, slack.user(id).team))
  await settle(reconcilerOf(app))
  expect(slack.shownFor(id).text).toBe('in deeb mode')
  expect(await linkOf(app, user, 'slack')).toMatchObject({ isRefused: false, isOn: true })
  expect(chat.tokensOf(id)).toHaveLength(1)
})

test('signing out everywhere else leaves the connection', async ({ app, chat }) => {
  const { user } = await chat.shown()
  await app.call(endOtherAuthSessions, {}, user)
  expect(await linkOf(app, user, 'slack')).toMatchObject({ isOn: true })
})
