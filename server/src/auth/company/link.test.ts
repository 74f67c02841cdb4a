import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { mailsTo, newestMail } from '../../testing/auth-client.ts'
import { KEY, refusalOf, type Tab } from '../../testing/company-app.ts'
import { enroll, prove, signIn, whoami } from '../../testing/factors.ts'
import type { Employee } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { setDomains, setOnly } from './configure.ts'

const test = base.extend('service', ({ sso }) => {
  /** A person with a password who is signed in to a tab. */
  async function makePerson() {
    const { email, userId } = await makeUser(sso)
    const tab = sso.newTab()
    await signIn(sso, email, tab.client)
    return { email, userId, tab }
  }
  async function reachLink(tab: Tab, employee: Employee) {
    const { data, error } = await beginLink(tab)
    if (error) throw error
    return sso.comeBack(await sso.provider.visit(data.url ?? '', employee), tab)
  }
  const linkTo = async (tab: Tab, employee: Employee) => sso.exchange(tab, await reachLink(tab, employee))
  async function identityOf({ client }: Tab) {
    const { data } = await client.getUserIdentities()
    const identity = data?.identities.find(({ provider }) => provider === `sso:${sso.providerId}`)
    if (!identity) throw new Error('There is no company account.')
    return identity
  }
  return { makePerson, reachLink, linkTo, identityOf }
})

// Each test starts with fresh limits.
test.beforeEach(({ sso }) => sso.clock.pass(3600))

const beginLink = ({ client }: Tab, key = KEY) =>
  client.linkIdentity({
    provider: `custom:${key}`,
    options: { redirectTo: 'http://localhost:3000/app/sso', skipBrowserRedirect: true },
  })

describe('linkIdentity', () => {
  test('connects a company account of any address in the same session, which it opens from then on', async ({
    sso,
    service,
  }) => {
    const { email, userId, tab } = await service.makePerson()
    const before = (await tab.client.getSession()).data.session
    const employee = sso.employ()
    const linked = await service.linkTo(tab, employee)
    expect([refusalOf(linked), linked.data.user?.id]).toEqual([null, userId])
    const sessionOf = (token = '') => JSON.parse(atob(token.split('.')[1] ?? '')).session_id
    expect(sessionOf(linked.data.session?.access_token)).toBe(sessionOf(before?.access_token))
    expect(await whoami(sso, tab.client, { cookie: tab.browser.cookie })).toEqual([200, undefined])
    expect(await newestMail(sso, email)).toContain('Subject: Your company account opens deeb now')
    expect((await sso.signIn(employee)).data.user?.id).toBe(userId)
    // Again is no error, and no second email.
    expect(refusalOf(await service.linkTo(tab, employee))).toBeNull()
    expect((await mailsTo(sso, email)).filter((text) => text.includes('opens deeb now'))).toHaveLength(1)
  })

  test('takes any domain of the company for its name', async ({ sso, service }) => {
    const domains = [KEY, 'fjordlab-north.example']
    await setDomains(sso.auth.db, sso.providerId, domains, sso.clock.now())
    const { tab } = await service.makePerson()
    expect(refusalOf(await beginLink(tab, 'fjordlab-north.example'))).toBeNull()
    await setDomains(sso.auth.db, sso.providerId, [KEY], sso.clock.now())
  })

  test('needs a fresh proof, and the second factor of the account', async ({ sso, service }) => {
    const { tab } = await service.makePerson()
    sso.clock.pass(901)
    expect(refusalOf(await beginLink(tab))).toEqual([400, 'reauthentication_needed'])
    const other = await service.makePerson()
    const late = sso.newTab()
    const factor = await enroll(other.tab.client)
    await prove(sso, other.tab.client, factor.id)
    await signIn(sso, other.email, late.client)
    expect(refusalOf(await beginLink(late))).toEqual([403, 'insufficient_aal'])
  })

  test('threat 55: is refused by the provider of another company, and for an unknown one', async ({ sso }) => {
    const { email } = await makeUser(sso, { email: `${randomUUID()}@elsewhere.example` })
    const tab = sso.newTab()
    await signIn(sso, email, tab.client)
    expect(refusalOf(await beginLink(tab))).toEqual([422, 'email_address_not_authorized'])
    for (const key of ['nowhere.example', '', 'x'.repeat(300), '\u0000', "'"]) {
      expect(refusalOf(await beginLink(tab, key))).toEqual([404, 'sso_provider_not_found'])
    }
  })

  test('threat 60: is refused for a company account that opens another account', async ({ sso, service }) => {
    const employee = sso.employ()
    await sso.signIn(employee)
    const { tab, email } = await service.makePerson()
    expect(refusalOf(await service.linkTo(tab, employee))).toEqual([422, 'identity_already_exists'])
    expect(await newestMail(sso, email)).toBeNull()
    expect(refusalOf(await service.linkTo(tab, sso.employ()))).toBeNull()
    expect(refusalOf(await service.linkTo(tab, sso.employ()))).toEqual([422, 'identity_already_exists'])
  })

  test('threat 60: ends with the session that began it, and works in its browser only', async ({ sso, service }) => {
    const [ann, bob] = [await service.makePerson(), await service.makePerson()]
    const returned = await service.reachLink(ann.tab, sso.employ())
    // Bob has the code and the verifier, but not the cookie of the session.
    const stolen = { ...bob.tab, client: ann.tab.client }
    ann.tab.browser.cookie = ann.tab.browser.cookie.replace(/deeb=[^;]+/, bob.tab.browser.cookie)
    expect((await sso.exchange(stolen, returned)).error?.name).toBe('AuthSessionMissingError')
    const [later, ended] = [await service.makePerson(), sso.employ()]
    const code = await service.reachLink(later.tab, ended)
    await signIn(sso, later.email).then((device) => device.signOut({ scope: 'others' }))
    expect(refusalOf(await sso.exchange(later.tab, code))).toEqual([404, 'flow_state_not_found'])
  })
})

describe('unlinkIdentity', () => {
  test('disconnects the company account, and ends the other sessions that it opened', async ({ sso, service }) => {
    const { tab, email } = await service.makePerson()
    const employee = sso.employ()
    await service.linkTo(tab, employee)
    const company = sso.newTab()
    await sso.signIn(employee, company)
    const identity = await service.identityOf(tab)
    expect(refusalOf(await tab.client.unlinkIdentity(identity))).toBeNull()
    expect(refusalOf(await company.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    expect(await whoami(sso, tab.client, { cookie: tab.browser.cookie })).toEqual([200, undefined])
    expect(await newestMail(sso, email)).toContain('Subject: Your company account was disconnected')
    expect((await tab.client.getUser()).data.user?.app_metadata.providers).toEqual(['email'])
    expect(refusalOf(await tab.client.unlinkIdentity(identity))).toEqual([404, 'identity_not_found'])
    const audit = statement(
      'test.company-audit',
      `select action from auth.audit_log join auth.users on users.id = user_id
      where email = :email and action like 'identity%' order by audit_log.id`,
    )
    expect(await sso.auth.db.query(audit, { email })).toEqual([
      { action: 'identity_linked' },
      { action: 'identity_unlinked' },
    ])
  })

  test('threat 111: its own session is no longer one of the company', async ({ sso, service }) => {
    const person = { ...sso.employ(), auth_time: Math.floor(sso.clock.now().getTime() / 1000) }
    const tab = sso.newTab()
    const userId = (await sso.signIn(person, tab)).data.user?.id
    expect((await tab.client.updateUser({ password: 'eleven loud herons' })).error).toBeNull()
    const shorten = statement(
      'test.shorten-session',
      `update auth.sessions set not_after = :now::timestamptz + interval '24 hours' where user_id = :userId`,
    )
    await sso.auth.db.query(shorten, { userId, now: sso.clock.now() })
    expect(refusalOf(await tab.client.unlinkIdentity(await service.identityOf(tab)))).toBeNull()
    const read = statement(
      'test.mark-of',
      `select sso_provider_id as provider, sso_sid as sid, extract(epoch from not_after - created_at)::int / 3600 as lives
      from auth.sessions where user_id = :userId`,
    )
    expect(await sso.auth.db.query(read, { userId })).toEqual([{ provider: null, sid: null, lives: 90 * 24 }])
    expect(await whoami(sso, tab.client, { cookie: tab.browser.cookie })).toEqual([200, undefined])
  })

  test('threat 75: finds no identity of another user, and not the address', async ({ sso, service }) => {
    const [ann, eve] = [await service.makePerson(), await service.makePerson()]
    await service.linkTo(ann.tab, sso.employ())
    const identity = await service.identityOf(ann.tab)
    const own = (await eve.tab.client.getUserIdentities()).data?.identities[0]
    for (const identity_id of [identity.identity_id, own?.identity_id ?? '', randomUUID(), 'x']) {
      const outcome = await eve.tab.client.unlinkIdentity({ ...identity, identity_id })
      expect(refusalOf(outcome)).toEqual([404, 'identity_not_found'])
    }
    expect(refusalOf(await ann.tab.client.unlinkIdentity(identity))).toBeNull()
  })

  test('is refused without a fresh proof, for the only way to sign in, and in a closed domain', async ({
    sso,
    service,
  }) => {
    const person = sso.employ()
    const tab = sso.newTab()
    const authTime = () => Math.floor(sso.clock.now().getTime() / 1000)
    await sso.signIn(person, tab)
    expect(refusalOf(await tab.client.unlinkIdentity(await service.identityOf(tab)))).toEqual([
      400,
      'reauthentication_needed',
    ])
    await sso.signIn({ ...person, auth_time: authTime() }, tab)
    const only = [422, 'single_identity_not_deletable']
    expect(refusalOf(await tab.client.unlinkIdentity(await service.identityOf(tab)))).toEqual(only)
    expect((await tab.client.updateUser({ password: 'eleven loud herons' })).error).toBeNull()
    await setOnly(sso.auth.db, [KEY], true, sso.auth.now())
    expect(refusalOf(await tab.client.unlinkIdentity(await service.identityOf(tab)))).toEqual(only)
    await setOnly(sso.auth.db, [KEY], false, sso.auth.now())
    expect(refusalOf(await tab.client.unlinkIdentity(await service.identityOf(tab)))).toBeNull()
  })
})
