import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { applyCompanySettings } from '../auth/company/configure.ts'
import { readConfig } from '../config/config.ts'
import { deriveKeys } from '../config/keys.ts'
import { type Database, statement } from '../db/db.ts'
import { hashOfToken, providerOfToken } from '../scim/token.ts'
import { newestMail } from '../testing/auth-client.ts'
import { KEY, refusalOf } from '../testing/company-app.ts'
import { signIn } from '../testing/factors.ts'
import { CLIENT } from '../testing/identity-provider.ts'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { companyCommand } from './company.ts'
import { unlinkUser } from './users.ts'

const test = base.extend('admin', ({ sso }) => {
  /** Runs `company ...` with a client secret on standard input. */
  async function run(line: string, stdin = `${CLIENT.secret}\n`): Promise<string> {
    const command = companyCommand(line.split(' '))
    if (!command) return 'usage'
    const config = { ...readConfig({ DEEB_SECRET: secret.toString('hex') }), publicUrl: 'http://localhost:3000' }
    const lines = await command(sso.auth.db as Database, config, async () => stdin)
    return lines.join('\n')
  }
  const add = (domains: string, clientId: string = randomUUID()) =>
    run(`add ${domains} ${sso.provider.issuer} ${clientId} Acme`)
  return { run, add }
})

const secret = randomBytes(32)
test.beforeAll(async ({ sso }) => {
  Object.assign(sso.auth.keys, await deriveKeys(secret))
})

test('add prints the addresses for the identity provider, and its people sign in', async ({ sso, admin }) => {
  const added = await admin.run(`add acme.example,Acme.TEST ${sso.provider.issuer} client-of-acme`)
  expect(added).toContain('http://localhost:3000/auth/v1/callback/acme.example')
  expect(added).toContain('http://localhost:3000/auth/v1/backchannel-logout/acme.example')
  expect(refusalOf(await sso.begin(sso.newTab(), { domain: 'acme.test' }))).toBeNull()
  expect(await admin.run('list')).toContain('acme.example\tacme.example\thttp://localhost')
  expect(await admin.run('list')).not.toContain(CLIENT.secret)
})

test('list shows when the directory asked last, and a key has no letter case', async ({ sso, admin }) => {
  await admin.add('listed.example')
  expect(await admin.run('list')).not.toContain('directory')
  const [token = ''] = /deeb_scim_\S+/.exec(await admin.run('scim Listed.EXAMPLE')) ?? []
  expect(await admin.run('list')).toContain('directory asked nothing yet')
  await providerOfToken(sso.auth.db, hashOfToken(token) ?? Buffer.of(), sso.clock.now())
  expect(await admin.run('list')).toContain(`directory asked on ${sso.clock.now().toISOString().slice(0, 10)}`)
})

test('domains is audited, also when it only takes a domain away', async ({ sso, admin }) => {
  await admin.add('taken.example,taken.test')
  const count = statement(
    'test.domain-changes',
    `select detail->'company' as domains from auth.audit_log
    where action = 'company_changed' and detail->>'what' = 'domains' order by id`,
  )
  const before = (await sso.auth.db.query(count, {})).length
  await admin.run('domains taken.example taken.example')
  await admin.run('domains taken.example taken.example')
  expect((await sso.auth.db.query(count, {})).slice(before)).toEqual([{ domains: ['taken.example'] }])
})

test.for([
  ['add', 'usage'],
  ['add nowhere', 'usage'],
  ['', 'usage'],
  ['list all', 'usage'],
] as const)('company %s prints the usage', async ([line, expected], { admin }) => {
  expect(await admin.run(line)).toBe(expected)
})

describe('what cannot work is refused with a reason', () => {
  test.for([
    ['add gmail.com https://a.example x', 'gmail.com is a domain of free email'],
    ['add acme https://a.example x', '"acme" is not a domain'],
    [`add ${KEY} https://a.example x`, 'has this domain or this client already'],
    ['add new.example http://a.example x', 'ISSUER must begin with https://'],
    ['add new.example https://login.microsoftonline.com/common/v2.0 x', 'must name the tenant of one company'],
    ['secret nowhere.example', 'There is no company "nowhere.example".'],
    ['domains nowhere.example a.example', 'There is no company'],
    ['only nowhere.example on', 'No company has the domain'],
    [`only ${KEY} maybe`, 'must be on or off'],
    ['trust-email nowhere.example on', 'There is no company'],
    ['check nowhere.example', 'There is no company'],
    ['remove nowhere.example', 'There is no company'],
  ] as const)('company %s', async ([line, message], { admin }) => {
    await expect(admin.run(line)).rejects.toThrow(message)
  })

  test('an empty secret', async ({ admin }) => {
    await expect(admin.run(`secret ${KEY}`, '\n')).rejects.toThrow('The client secret on standard input must have')
  })
})

test('secret replaces the client secret, which the provider then accepts', async ({ sso, admin }) => {
  await admin.run(`secret ${KEY}`, 'a wrong secret')
  await expect(admin.run(`check ${KEY}`)).rejects.toThrow(
    /refuses the client id or the client secret \(invalid_client: .+\)/,
  )
  const tab = sso.newTab()
  expect(await sso.reach(sso.employ(), tab)).toMatchObject({ errorCode: 'unexpected_failure' })
  await admin.run(`secret ${KEY}`)
  expect(refusalOf(await sso.signIn(sso.employ()))).toBeNull()
})

test('check says what the provider supports, or why it cannot be used', async ({ sso, admin }) => {
  const answer = await admin.run(`check ${KEY}`)
  expect(answer).toContain('answers and publishes its keys, and accepts the client secret.')
  expect(answer).toContain('back-channel logout: yes')
  expect(answer).toContain('offline_access: yes')
  expect(answer).toContain('iss in its answer: yes')
  sso.provider.faults = { isDown: true }
  await expect(admin.run(`check ${KEY}`)).rejects.toThrow(/cannot be used: fetch failed \([A-Z_]+\)$/)
  sso.provider.faults = {}
})

test('trust-email makes addresses count as verified', async ({ sso, admin }) => {
  const unverified = () => sso.signIn({ ...sso.employ(), email_verified: false })
  expect(refusalOf(await unverified())).toEqual([422, 'provider_email_needs_verification'])
  await admin.run(`trust-email ${KEY} on`)
  expect(refusalOf(await unverified())).toBeNull()
  // An account that exists still needs the code.
  const { email } = await makeUser(sso)
  expect(refusalOf(await sso.signIn({ ...sso.employ(), email }))).toEqual([422, 'provider_email_needs_verification'])
  await admin.run(`trust-email ${KEY} off`)
  expect(refusalOf(await unverified())).toEqual([422, 'provider_email_needs_verification'])
})

test('only signs out those who signed in another way', async ({ sso, admin }) => {
  const { email } = await makeUser(sso)
  const device = await signIn(sso, email)
  const company = sso.newTab()
  await sso.signIn(sso.employ(), company)
  expect(await admin.run(`only ${KEY} on`)).toMatch(
    /^fjordlab\.example signs in by its company only\. Ended \d+ auth sessions\.$/,
  )
  expect(refusalOf(await device.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  expect(refusalOf(await company.client.refreshSession())).toBeNull()
  expect((await sso.begin(sso.newTab())).data).toMatchObject({ only: true })
  expect(await admin.run('list')).toContain(`${KEY} (only)`)
  await admin.run(`only ${KEY} off`)
  expect((await sso.begin(sso.newTab())).data).toMatchObject({ only: false })
})

test('threat 55: domains moves a domain to another company, and its people are signed out', async ({ sso, admin }) => {
  await admin.add('first.example')
  await admin.run(`domains ${KEY} ${KEY},moving.example`)
  const [person, tab] = [{ ...sso.employ(), email: `${randomUUID()}@moving.example` }, sso.newTab()]
  expect(refusalOf(await sso.signIn(person, tab))).toBeNull()
  expect(await admin.run('domains first.example first.example,moving.example')).toContain('Ended 1 auth sessions.')
  expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  await expect(admin.add('moving.example')).rejects.toThrow('moving.example belongs to the company "first.example".')
})

test('remove ends the company sessions; people come back by "Forgot password?"', async ({ admin }) => {
  await admin.add('gone.example')
  expect(await admin.run('remove gone.example')).toContain('Removed gone.example. Nobody was signed out.')
  expect(await admin.run('list')).not.toContain('gone.example')
})

test('the company of the settings is changed by the settings only', async ({ sso, admin }) => {
  const { auth } = sso
  const name = 'Settings'
  const wanted = {
    ...{ issuer: 'https://login.settings.example', clientId: name, clientSecret: CLIENT.secret, name },
    ...{ domains: ['settings.example'], onlySso: false, trustsEmail: false },
  }
  const apply = (company: typeof wanted | null) => applyCompanySettings(auth, company, auth.now())
  await apply(wanted)
  for (const line of [
    ...['secret settings.example', 'domains settings.example other.example', 'only settings.example on'],
    ...['trust-email settings.example on', 'remove settings.example'],
  ]) {
    await expect(admin.run(line)).rejects.toThrow('is that of the settings OIDC_*')
  }
  await expect(admin.run(`domains ${KEY} ${KEY},settings.example`)).rejects.toThrow(
    'belongs to the company "settings.example"',
  )
  await apply(null)
  expect(await admin.run('list')).toContain('from the settings, switched off')
  expect(await admin.run('remove settings.example')).toContain('Removed')
})

test('user unlink disconnects the company account and tells its owner', async ({ sso }) => {
  const [person, tab] = [sso.employ(), sso.newTab()]
  await sso.signIn(person, tab)
  expect(await unlinkUser(sso.auth.db, person.email, sso.auth.now())).toEqual([
    `Disconnected the company account of ${person.email}, and signed it out on 1 device.`,
  ])
  sso.mailer.kick()
  expect(await newestMail(sso, person.email)).toContain('Subject: Your company account was disconnected')
  expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  expect(refusalOf(await sso.signIn(person))).toEqual([422, 'provider_email_needs_verification'])
  await expect(unlinkUser(sso.auth.db, person.email, sso.auth.now())).rejects.toThrow('has no company account.')
})
