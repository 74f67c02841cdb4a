import { randomUUID } from 'node:crypto'
import { deleteAccount, endOtherAuthSessions } from '@deeb/core/account/api'
import { createCalendarLink } from '@deeb/core/calendar/api'
import { readFocus } from '@deeb/core/focus/program-api'
import { describe, expect } from 'vitest'
import { applyCompanies } from '../admin/companies.ts'
import { blockUser, deleteUser, signOutUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../testing/auth-client.ts'
import { addDomain } from '../testing/company.ts'
import { type Directory, openDirectory } from '../testing/directory.ts'
import { type MadeUser, makePersonalToken, makeUser, PASSWORD } from '../testing/make.ts'
import { fetchSign, makeSign } from '../testing/signs.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'
import { addWebhook } from '../testing/webhooks.ts'

const test = base.extend('profile', ({ app }) => {
  /** Whether the calendar, the sign and the token are answered: all, or none. */
  async function isAlive(): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}` }
    const answers = await Promise.all([
      app.inject(calendar),
      fetchSign(app, sign),
      app.inject({ url: readFocus.path, headers }),
    ])
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect([
      [200, 200, 200],
      [404, 401, 401],
    ]).toContainEqual(statuses)
    return statuses[0] === 200
  }
  const isSending = async () => (await app.db.query(readOn, { webhook })).length > 0
  const emails = () => ({ config: app.auth.config, mailer: app.mailer })
  async function changeAddress(email: string): Promise<void> {
    await device.updateUser({ email, current_password: PASSWORD })
    const token = await newestLinkToken(emails(), email, 'email_change')
    expect((await device.verifyOtp(confirmation(token, PASSWORD, 'email_change'))).error).toBeNull()
  }
  async function recover(): Promise<void> {
    await device.resetPasswordForEmail(user.email)
    const tab = createAuthClient(app.app)
    await tab.verifyOtp({ type: 'recovery', token_hash: await newestLinkToken(emails(), user.email, 'recovery') })
    expect((await tab.updateUser({ password: 'nine loud herons' })).error).toBeNull()
  }
  return { isAlive, isSending, changeAddress, recover }
})

let directory: Directory
let user: MadeUser
/** The directory's id of the user. */
let entry: string
/** Another device of the user, through the library of the apps. */
let device: ReturnType<typeof createAuthClient>
let calendar: string
let webhook: string
/** The secret of a door sign. */
let sign: string
/** A personal access token. */
let token: string
test.beforeEach(async ({ app, clock }) => {
  clock.advance({ hours: 1 })
  directory = await openDirectory(app, `${randomUUID().slice(0, 8)}.example`)
  user = await makeUser(app, { email: `ann@${directory.domain}` })
  entry = (await directory.add(user.email)).id
  webhook = (await addWebhook(app, user, { url: 'https://hooks.example.com/' })).id
  // The email about it is older than the next one.
  clock.advance({ seconds: 1 })
  calendar = new URL((await app.call(createCalendarLink, {}, user)).body.url).pathname
  sign = (await makeSign(app, user)).token
  token = (await makePersonalToken(app, user, ['switch'])).token
  device = createAuthClient(app.app)
  await device.signInWithPassword({ email: user.email, password: PASSWORD })
})
const readOn = statement('test.webhook-on', 'select from webhook_endpoints where id = :webhook and off_reason is null')
const moveTo = (email: string) =>
  directory.patch(entry, { op: 'replace', path: 'emails[type eq "work"].value', value: email })

type Fixtures = Pick<FixturesOf<typeof test>, 'app' | 'profile'>

describe('threats 173 and 202: the access of programs ends', () => {
  test.for<[string, (fixtures: Fixtures) => Promise<unknown>]>([
    ['when the other devices are signed out', ({ app }) => app.call(endOtherAuthSessions, {}, user)],
    ['when all devices are signed out', () => device.signOut({ scope: 'global' })],
    ['when the library signs out the other devices', () => device.signOut({ scope: 'others' })],
    ['with a new password', () => device.updateUser({ password: 'nine loud herons', current_password: PASSWORD })],
    ['with a password reset', ({ profile }) => profile.recover()],
    ['when the address changes', ({ profile }) => profile.changeAddress(`anna@${directory.domain}`)],
    [
      'when the address moves to another company',
      ({ profile }) => profile.changeAddress(`ann@${randomUUID()}.example`),
    ],
    ['when the account is deleted', ({ app }) => app.call(deleteAccount, { password: PASSWORD }, user)],
    ['when the administrator signs it out', ({ app }) => signOutUser(app.db, user.email, app.clock.now())],
    ['when the administrator blocks it', ({ app }) => blockUser(app.db, user.email, app.clock.now())],
    ['when the administrator deletes it', ({ app }) => deleteUser(app.db, user.email, app.auth.config)],
    [
      'when its directory deactivates it',
      () => directory.patch(entry, { op: 'replace', path: 'active', value: false }),
    ],
    [
      'when its directory moves it to another domain',
      async ({ app }) => {
        const domain = `${randomUUID().slice(0, 8)}.example`
        await addDomain(app.db, domain, directory.providerId)
        expect((await moveTo(`ann@${domain}`)).status).toBe(200)
      },
    ],
    [
      'when the administrator gives its domain to no company',
      async ({ app }) => {
        const policy = await app.auth.companyPolicy()
        const freeMailDomains = new Set([...policy.freeMailDomains, directory.domain])
        await applyCompanies(app.db, { ...policy, freeMailDomains }, app.clock.now())
      },
    ],
  ])('%s', async ([_, act], { app, clock, profile }) => {
    expect([await profile.isAlive(), await profile.isSending()]).toEqual([true, true])
    await act({ app, profile })
    // The commands of the administrator run in another process, whose events the cache of tokens may miss.
    clock.advance({ seconds: 31 })
    expect([await profile.isAlive(), await profile.isSending()]).toEqual([false, false])
  })

  test.for<[string, () => Promise<unknown>]>([
    ['this device is signed out', () => device.signOut({ scope: 'local' })],
    ['the directory renames the person in the company', () => moveTo(`anna@${directory.domain}`)],
  ])('but not when %s', async ([_, act], { profile }) => {
    await act()
    expect([await profile.isAlive(), await profile.isSending()]).toEqual([true, true])
  })
})
