import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyCompanySettings } from '../auth/company/configure.ts'
import { readConfig } from '../config/config.ts'
import { deriveKeys } from '../config/keys.ts'
import { type Database, statement } from '../db/db.ts'
import { hashOfToken, providerOfToken } from '../scim/token.ts'
import { newestMail } from '../testing/auth-client.ts'
import { type CompanyBed, KEY, openCompanyBed, refusalOf } from '../testing/company-bed.ts'
import { signIn } from '../testing/factors.ts'
import { CLIENT } from '../testing/identity-provider.ts'
import { makeUser } from '../testing/make.ts'
import { companyCommand } from './company.ts'
import { unlinkUser } from './users.ts'

let bed: CompanyBed
const secret = randomBytes(32)
beforeAll(async () => {
  bed = await openCompanyBed()
  Object.assign(bed.auth.keys, await deriveKeys(secret))
})
afterAll(() => bed.close())

/** Runs `company ...` with a client secret on standard input. */
async function run(line: string, stdin = `${CLIENT.secret}\n`): Promise<string> {
  const command = companyCommand(line.split(' '))
  if (!command) return 'usage'
  const config = { ...readConfig({ DEEB_SECRET: secret.toString('hex') }), publicUrl: 'http://localhost:3000' }
  const lines = await command(bed.auth.db as Database, config, async () => stdin)
  return lines.join('\n')
}

const add = (domains: string, clientId: string = randomUUID()) =>
  run(`add ${domains} ${bed.provider.issuer} ${clientId} Acme`)

test('add prints the addresses for the identity provider, and its people sign in', async () => {
  const added = await run(`add acme.example,Acme.TEST ${bed.provider.issuer} client-of-acme`)
  expect(added).toContain('http://localhost:3000/auth/v1/callback/acme.example')
  expect(added).toContain('http://localhost:3000/auth/v1/backchannel-logout/acme.example')
  expect(refusalOf(await bed.begin(bed.newTab(), { domain: 'acme.test' }))).toBeNull()
  expect(await run('list')).toContain('acme.example\tacme.example\thttp://localhost')
  expect(await run('list')).not.toContain(CLIENT.secret)
})

test('list shows when the directory asked last, and a key has no letter case', async () => {
  await add('listed.example')
  expect(await run('list')).not.toContain('directory')
  const [token = ''] = /deeb_scim_\S+/.exec(await run('scim Listed.EXAMPLE')) ?? []
  expect(await run('list')).toContain('directory asked nothing yet')
  await providerOfToken(bed.auth.db, hashOfToken(token) ?? Buffer.of(), bed.clock.now())
  expect(await run('list')).toContain(`directory asked on ${bed.clock.now().toISOString().slice(0, 10)}`)
})

test('domains is audited, also when it only takes a domain away', async () => {
  await add('taken.example,taken.test')
  const count = statement(
    'test.domain-changes',
    `select detail->'company' as domains from auth.audit_log
    where action = 'company_changed' and detail->>'what' = 'domains' order by id`,
  )
  const before = (await bed.auth.db.query(count, {})).length
  await run('domains taken.example taken.example')
  await run('domains taken.example taken.example')
  expect((await bed.auth.db.query(count, {})).slice(before)).toEqual([{ domains: ['taken.example'] }])
})

test.each([
  ['add', 'usage'],
  ['add nowhere', 'usage'],
  ['', 'usage'],
  ['list all', 'usage'],
])('company %s prints the usage', async (line, expected) => {
  expect(await run(line)).toBe(expected)
})

describe('what cannot work is refused with a reason', () => {
  test.each([
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
  ])('company %s', async (line, message) => {
    await expect(run(line)).rejects.toThrow(message)
  })

  test('an empty secret', async () => {
    await expect(run(`secret ${KEY}`, '\n')).rejects.toThrow('The client secret on standard input must have')
  })
})

test('secret replaces the client secret, which the provider then accepts', async () => {
  await run(`secret ${KEY}`, 'a wrong secret')
  await expect(run(`check ${KEY}`)).rejects.toThrow(/refuses the client id or the client secret \(invalid_client: .+\)/)
  const tab = bed.newTab()
  expect(await bed.reach(bed.employ(), tab)).toMatchObject({ errorCode: 'unexpected_failure' })
  await run(`secret ${KEY}`)
  expect(refusalOf(await bed.signIn(bed.employ()))).toBeNull()
})

test('check says what the provider supports, or why it cannot be used', async () => {
  const answer = await run(`check ${KEY}`)
  expect(answer).toContain('answers and publishes its keys, and accepts the client secret.')
  expect(answer).toContain('back-channel logout: yes')
  expect(answer).toContain('offline_access: yes')
  expect(answer).toContain('iss in its answer: yes')
  bed.provider.faults = { isDown: true }
  await expect(run(`check ${KEY}`)).rejects.toThrow(/cannot be used: fetch failed \([A-Z_]+\)$/)
  bed.provider.faults = {}
})

test('trust-email makes addresses count as verified', async () => {
  const unverified = () => bed.signIn({ ...bed.employ(), email_verified: false })
  expect(refusalOf(await unverified())).toEqual([422, 'provider_email_needs_verification'])
  await run(`trust-email ${KEY} on`)
  expect(refusalOf(await unverified())).toBeNull()
  // An account that exists still needs the code.
  const { email } = await makeUser(bed)
  expect(refusalOf(await bed.signIn({ ...bed.employ(), email }))).toEqual([422, 'provider_email_needs_verification'])
  await run(`trust-email ${KEY} off`)
  expect(refusalOf(await unverified())).toEqual([422, 'provider_email_needs_verification'])
})

test('only signs out those who signed in another way', async () => {
  const { email } = await makeUser(bed)
  const device = await signIn(bed, email)
  const company = bed.newTab()
  await bed.signIn(bed.employ(), company)
  expect(await run(`only ${KEY} on`)).toMatch(
    /^fjordlab\.example signs in by its company only\. Ended \d+ auth sessions\.$/,
  )
  expect(refusalOf(await device.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  expect(refusalOf(await company.client.refreshSession())).toBeNull()
  expect((await bed.begin(bed.newTab())).data).toMatchObject({ only: true })
  expect(await run('list')).toContain(`${KEY} (only)`)
  await run(`only ${KEY} off`)
  expect((await bed.begin(bed.newTab())).data).toMatchObject({ only: false })
})

test('threat 55: domains moves a domain to another company, and its people are signed out', async () => {
  await add('first.example')
  await run(`domains ${KEY} ${KEY},moving.example`)
  const [person, tab] = [{ ...bed.employ(), email: `${randomUUID()}@moving.example` }, bed.newTab()]
  expect(refusalOf(await bed.signIn(person, tab))).toBeNull()
  expect(await run('domains first.example first.example,moving.example')).toContain('Ended 1 auth sessions.')
  expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  await expect(add('moving.example')).rejects.toThrow('moving.example belongs to the company "first.example".')
})

test('remove ends the company sessions; people come back by "Forgot password?"', async () => {
  await add('gone.example')
  expect(await run('remove gone.example')).toContain('Removed gone.example. Nobody was signed out.')
  expect(await run('list')).not.toContain('gone.example')
})

test('the company of the settings is changed by the settings only', async () => {
  const { auth } = bed
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
    await expect(run(line)).rejects.toThrow('is that of the settings OIDC_*')
  }
  await expect(run(`domains ${KEY} ${KEY},settings.example`)).rejects.toThrow(
    'belongs to the company "settings.example"',
  )
  await apply(null)
  expect(await run('list')).toContain('from the settings, switched off')
  expect(await run('remove settings.example')).toContain('Removed')
})

test('user unlink disconnects the company account and tells its owner', async () => {
  const [person, tab] = [bed.employ(), bed.newTab()]
  await bed.signIn(person, tab)
  expect(await unlinkUser(bed.auth.db, person.email, bed.auth.now())).toEqual([
    `Disconnected the company account of ${person.email}, and signed it out on 1 device.`,
  ])
  bed.mailer.kick()
  expect(await newestMail(bed, person.email)).toContain('Subject: Your company account was disconnected')
  expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  expect(refusalOf(await bed.signIn(person))).toEqual([422, 'provider_email_needs_verification'])
  await expect(unlinkUser(bed.auth.db, person.email, bed.auth.now())).rejects.toThrow('has no company account.')
})
