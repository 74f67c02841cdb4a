import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../db/db.ts'
import { mailsTo, newestMail } from '../../testing/auth-client.ts'
import { type CompanyBed, KEY, openCompanyBed, refusalOf, type Tab } from '../../testing/company-bed.ts'
import { enroll, prove, signIn, whoami } from '../../testing/factors.ts'
import type { Employee } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'
import { setDomains, setOnly } from './configure.ts'

let bed: CompanyBed
beforeAll(async () => {
  bed = await openCompanyBed()
})
afterAll(() => bed.close())
// Each test starts with fresh limits.
beforeEach(() => bed.clock.pass(3600))

/** A person with a password who is signed in to a tab. */
async function makePerson() {
  const { email, userId } = await makeUser(bed)
  const tab = bed.newTab()
  await signIn(bed, email, tab.client)
  return { email, userId, tab }
}

const beginLink = ({ client }: Tab, key = KEY) =>
  client.linkIdentity({
    provider: `custom:${key}`,
    options: { redirectTo: 'http://localhost:3000/app/sso', skipBrowserRedirect: true },
  })

async function reachLink(tab: Tab, employee: Employee) {
  const { data, error } = await beginLink(tab)
  if (error) throw error
  return bed.comeBack(await bed.provider.visit(data.url ?? '', employee), tab)
}

const linkTo = async (tab: Tab, employee: Employee) => bed.exchange(tab, await reachLink(tab, employee))

async function identityOf({ client }: Tab) {
  const { data } = await client.getUserIdentities()
  const identity = data?.identities.find(({ provider }) => provider === `sso:${bed.providerId}`)
  if (!identity) throw new Error('There is no company account.')
  return identity
}

describe('linkIdentity', () => {
  test('connects a company account of any address in the same session, which it opens from then on', async () => {
    const { email, userId, tab } = await makePerson()
    const before = (await tab.client.getSession()).data.session
    const employee = bed.employ()
    const linked = await linkTo(tab, employee)
    expect([refusalOf(linked), linked.data.user?.id]).toEqual([null, userId])
    const sessionOf = (token = '') => JSON.parse(atob(token.split('.')[1] ?? '')).session_id
    expect(sessionOf(linked.data.session?.access_token)).toBe(sessionOf(before?.access_token))
    expect(await whoami(bed, tab.client, { cookie: tab.browser.cookie })).toEqual([200, undefined])
    expect(await newestMail(bed, email)).toContain('Subject: Your company account opens deeb now')
    expect((await bed.signIn(employee)).data.user?.id).toBe(userId)
    // Again is no error, and no second email.
    expect(refusalOf(await linkTo(tab, employee))).toBeNull()
    expect((await mailsTo(bed, email)).filter((text) => text.includes('opens deeb now'))).toHaveLength(1)
  })

  test('takes any domain of the company for its name', async () => {
    const domains = [KEY, 'fjordlab-north.example']
    await setDomains(bed.auth.db, bed.providerId, domains, bed.clock.now())
    const { tab } = await makePerson()
    expect(refusalOf(await beginLink(tab, 'fjordlab-north.example'))).toBeNull()
    await setDomains(bed.auth.db, bed.providerId, [KEY], bed.clock.now())
  })

  test('needs a fresh proof, and the second factor of the account', async () => {
    const { tab } = await makePerson()
    bed.clock.pass(901)
    expect(refusalOf(await beginLink(tab))).toEqual([400, 'reauthentication_needed'])
    const other = await makePerson()
    const late = bed.newTab()
    const factor = await enroll(other.tab.client)
    await prove(bed, other.tab.client, factor.id)
    await signIn(bed, other.email, late.client)
    expect(refusalOf(await beginLink(late))).toEqual([403, 'insufficient_aal'])
  })

  test('threat 55: is refused by the provider of another company, and for an unknown one', async () => {
    const { email } = await makeUser(bed, { email: `${randomUUID()}@elsewhere.example` })
    const tab = bed.newTab()
    await signIn(bed, email, tab.client)
    expect(refusalOf(await beginLink(tab))).toEqual([422, 'email_address_not_authorized'])
    for (const key of ['nowhere.example', '', 'x'.repeat(300), '\u0000', "'"]) {
      expect(refusalOf(await beginLink(tab, key))).toEqual([404, 'sso_provider_not_found'])
    }
  })

  test('threat 60: is refused for a company account that opens another account', async () => {
    const employee = bed.employ()
    await bed.signIn(employee)
    const { tab, email } = await makePerson()
    expect(refusalOf(await linkTo(tab, employee))).toEqual([422, 'identity_already_exists'])
    expect(await newestMail(bed, email)).toBeNull()
    expect(refusalOf(await linkTo(tab, bed.employ()))).toBeNull()
    expect(refusalOf(await linkTo(tab, bed.employ()))).toEqual([422, 'identity_already_exists'])
  })

  test('threat 60: ends with the session that began it, and works in its browser only', async () => {
    const [ann, bob] = [await makePerson(), await makePerson()]
    const returned = await reachLink(ann.tab, bed.employ())
    // Bob has the code and the verifier, but not the cookie of the session.
    const stolen = { ...bob.tab, client: ann.tab.client }
    ann.tab.browser.cookie = ann.tab.browser.cookie.replace(/deeb=[^;]+/, bob.tab.browser.cookie)
    expect((await bed.exchange(stolen, returned)).error?.name).toBe('AuthSessionMissingError')
    const [later, ended] = [await makePerson(), bed.employ()]
    const code = await reachLink(later.tab, ended)
    await signIn(bed, later.email).then((device) => device.signOut({ scope: 'others' }))
    expect(refusalOf(await bed.exchange(later.tab, code))).toEqual([404, 'flow_state_not_found'])
  })
})

describe('unlinkIdentity', () => {
  test('disconnects the company account, and ends the other sessions that it opened', async () => {
    const { tab, email } = await makePerson()
    const employee = bed.employ()
    await linkTo(tab, employee)
    const company = bed.newTab()
    await bed.signIn(employee, company)
    const identity = await identityOf(tab)
    expect(refusalOf(await tab.client.unlinkIdentity(identity))).toBeNull()
    expect(refusalOf(await company.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    expect(await whoami(bed, tab.client, { cookie: tab.browser.cookie })).toEqual([200, undefined])
    expect(await newestMail(bed, email)).toContain('Subject: Your company account was disconnected')
    expect((await tab.client.getUser()).data.user?.app_metadata.providers).toEqual(['email'])
    expect(refusalOf(await tab.client.unlinkIdentity(identity))).toEqual([404, 'identity_not_found'])
    const audit = statement(
      'test.company-audit',
      `select action from auth.audit_log join auth.users on users.id = user_id
      where email = :email and action like 'identity%' order by audit_log.id`,
    )
    expect(await bed.auth.db.query(audit, { email })).toEqual([
      { action: 'identity_linked' },
      { action: 'identity_unlinked' },
    ])
  })

  test('threat 111: its own session is no longer one of the company', async () => {
    const person = { ...bed.employ(), auth_time: Math.floor(bed.clock.now().getTime() / 1000) }
    const tab = bed.newTab()
    const userId = (await bed.signIn(person, tab)).data.user?.id
    expect((await tab.client.updateUser({ password: 'eleven loud herons' })).error).toBeNull()
    const shorten = statement(
      'test.shorten-session',
      `update auth.sessions set not_after = :now::timestamptz + interval '24 hours' where user_id = :userId`,
    )
    await bed.auth.db.query(shorten, { userId, now: bed.clock.now() })
    expect(refusalOf(await tab.client.unlinkIdentity(await identityOf(tab)))).toBeNull()
    const read = statement(
      'test.mark-of',
      `select sso_provider_id as provider, sso_sid as sid, extract(epoch from not_after - created_at)::int / 3600 as lives
      from auth.sessions where user_id = :userId`,
    )
    expect(await bed.auth.db.query(read, { userId })).toEqual([{ provider: null, sid: null, lives: 90 * 24 }])
    expect(await whoami(bed, tab.client, { cookie: tab.browser.cookie })).toEqual([200, undefined])
  })

  test('threat 75: finds no identity of another user, and not the address', async () => {
    const [ann, eve] = [await makePerson(), await makePerson()]
    await linkTo(ann.tab, bed.employ())
    const identity = await identityOf(ann.tab)
    const own = (await eve.tab.client.getUserIdentities()).data?.identities[0]
    for (const identity_id of [identity.identity_id, own?.identity_id ?? '', randomUUID(), 'x']) {
      const outcome = await eve.tab.client.unlinkIdentity({ ...identity, identity_id })
      expect(refusalOf(outcome)).toEqual([404, 'identity_not_found'])
    }
    expect(refusalOf(await ann.tab.client.unlinkIdentity(identity))).toBeNull()
  })

  test('is refused without a fresh proof, for the only way to sign in, and in a closed domain', async () => {
    const person = bed.employ()
    const tab = bed.newTab()
    const authTime = () => Math.floor(bed.clock.now().getTime() / 1000)
    await bed.signIn(person, tab)
    expect(refusalOf(await tab.client.unlinkIdentity(await identityOf(tab)))).toEqual([400, 'reauthentication_needed'])
    await bed.signIn({ ...person, auth_time: authTime() }, tab)
    const only = [422, 'single_identity_not_deletable']
    expect(refusalOf(await tab.client.unlinkIdentity(await identityOf(tab)))).toEqual(only)
    expect((await tab.client.updateUser({ password: 'eleven loud herons' })).error).toBeNull()
    await setOnly(bed.auth.db, [KEY], true, bed.auth.now())
    expect(refusalOf(await tab.client.unlinkIdentity(await identityOf(tab)))).toEqual(only)
    await setOnly(bed.auth.db, [KEY], false, bed.auth.now())
    expect(refusalOf(await tab.client.unlinkIdentity(await identityOf(tab)))).toBeNull()
  })
})
