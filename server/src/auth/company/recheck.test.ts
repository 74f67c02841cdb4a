import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { statement } from '../../db/db.ts'
import { type CompanyBed, openCompanyBed, refusalOf, type Tab } from '../../testing/company-bed.ts'
import { signIn, whoami } from '../../testing/factors.ts'
import { recheckIdentities } from './recheck.ts'

let bed: CompanyBed
const errors: string[] = []
beforeAll(async () => {
  bed = await openCompanyBed()
})
afterAll(() => bed.close())
// Each test starts with fresh limits.
beforeEach(() => bed.clock.pass(HOUR))
afterEach(() => {
  bed.provider.faults = {}
  errors.length = 0
})

const HOUR = 3600
const recheck = () =>
  recheckIdentities({ ...bed.auth, logError: (_error, what) => void errors.push(what) }, bed.clock.now())
/** What an open tab finds, which refreshes its session. */
async function stateOf(tab: Tab) {
  await tab.client.refreshSession()
  return whoami(bed, tab.client, { cookie: tab.browser.cookie })
}
const asked = () => bed.provider.requests.filter((request) => request === 'POST /token').length
const IN = [200, undefined]
const OUT = [401, 'not_signed_in']

async function signedIn() {
  const [employee, tab] = [bed.employ(), bed.newTab()]
  expect(refusalOf(await bed.signIn(employee, tab))).toBeNull()
  return { employee, tab }
}

test('the provider is asked every 20 hours about those who have a company session', async () => {
  const { tab } = await signedIn()
  const { tab: left } = await signedIn()
  await left.client.signOut()
  const before = asked()
  await recheck()
  bed.clock.pass(19 * HOUR)
  await recheck()
  expect(asked() - before).toBe(0)
  bed.clock.pass(2 * HOUR)
  await recheck()
  await recheck()
  expect(asked() - before).toBe(1)
  // The refresh token rotates: the next one is stored, and works.
  bed.clock.pass(21 * HOUR)
  await recheck()
  expect([asked() - before, errors]).toEqual([2, []])
  expect(await stateOf(tab)).toEqual(IN)
})

test('threat 74: four concurrent processes use a rotating refresh token once', async () => {
  const { tab } = await signedIn()
  bed.clock.pass(21 * HOUR)
  const before = asked()
  await Promise.all([recheck(), recheck(), recheck(), recheck()])
  // This person and those of the tests before.
  expect(asked() - before).toBe(2)
  bed.clock.pass(21 * HOUR)
  await recheck()
  expect(await stateOf(tab)).toEqual(IN)
})

test('the company sessions of a person whom the provider refuses end, and no others', async () => {
  const { employee, tab } = await signedIn()
  const mark = statement(
    'test.set-password',
    `update auth.users set encrypted_password = :hash where email = :email returning id`,
  )
  await bed.auth.db.query(mark, { email: employee.email, hash: await bed.auth.passwords.hash('seven quiet otters') })
  const password = bed.newTab()
  await signIn(bed, employee.email, password.client)
  bed.clock.pass(21 * HOUR)
  bed.provider.faults = { refusesRefresh: true }
  await recheck()
  expect([await stateOf(tab), await stateOf(password)]).toEqual([OUT, IN])
  expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  bed.provider.faults = {}
  const before = asked()
  bed.clock.pass(21 * HOUR)
  await recheck()
  expect(asked() - before).toBe(0)
  expect(refusalOf(await bed.signIn(employee))).toBeNull()
})

test('threat 73: a provider that is down signs nobody out for seven days', async () => {
  const { tab } = await signedIn()
  bed.clock.pass(21 * HOUR)
  bed.provider.faults = { isDown: true }
  for (let day = 0; day < 6; day++) {
    await recheck()
    expect(await stateOf(tab)).toEqual(IN)
    bed.clock.pass(24 * HOUR)
  }
  await recheck()
  await stateOf(tab)
  bed.clock.pass(4 * HOUR)
  await recheck()
  expect(await stateOf(tab)).toEqual(OUT)
})

test('threat 73: a provider that answers again within seven days confirms the person', async () => {
  const { tab } = await signedIn()
  bed.clock.pass(21 * HOUR)
  bed.provider.faults = { isDown: true }
  await recheck()
  bed.clock.pass(5 * 24 * HOUR)
  bed.provider.faults = {}
  await recheck()
  bed.clock.pass(5 * 24 * HOUR)
  bed.provider.faults = { isDown: true }
  await recheck()
  expect(await stateOf(tab)).toEqual(IN)
})
