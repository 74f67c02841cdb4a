import { expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { refusalOf, type Tab } from '../../testing/company-app.ts'
import { signIn, whoami } from '../../testing/factors.ts'
import { test as base } from '../../testing/test.ts'
import { recheckIdentities } from './recheck.ts'

const test = base.extend('service', ({ sso }) => {
  const recheck = () =>
    recheckIdentities({ ...sso.auth, logError: (_error, what) => void errors.push(what) }, sso.clock.now())
  /** Refreshes the session of an open tab, and returns the answer to it. */
  async function stateOf(tab: Tab) {
    await tab.client.refreshSession()
    return whoami(sso, tab.client, { cookie: tab.browser.cookie })
  }
  const asked = () => sso.provider.requests.filter((request) => request === 'POST /token').length
  async function signedIn() {
    const [employee, tab] = [sso.employ(), sso.newTab()]
    expect(refusalOf(await sso.signIn(employee, tab))).toBeNull()
    return { employee, tab }
  }
  return { recheck, stateOf, asked, signedIn }
})

const errors: string[] = []
// Each test starts with fresh limits.
test.beforeEach(({ sso }) => sso.clock.pass(HOUR))
test.afterEach(({ sso }) => {
  sso.provider.faults = {}
  errors.length = 0
})

const HOUR = 3600
const IN = [200, undefined]
const OUT = [401, 'not_signed_in']

test('the provider is asked every 20 hours about those who have a company session', async ({ sso, service }) => {
  const { tab } = await service.signedIn()
  const { tab: left } = await service.signedIn()
  await left.client.signOut()
  const before = service.asked()
  await service.recheck()
  sso.clock.pass(19 * HOUR)
  await service.recheck()
  expect(service.asked() - before).toBe(0)
  sso.clock.pass(2 * HOUR)
  await service.recheck()
  await service.recheck()
  expect(service.asked() - before).toBe(1)
  // The refresh token rotates: the next one is stored, and works.
  sso.clock.pass(21 * HOUR)
  await service.recheck()
  expect([service.asked() - before, errors]).toEqual([2, []])
  expect(await service.stateOf(tab)).toEqual(IN)
})

test('threat 74: four concurrent processes use a rotating refresh token once', async ({ sso, service }) => {
  const { tab } = await service.signedIn()
  sso.clock.pass(21 * HOUR)
  const before = service.asked()
  await Promise.all([service.recheck(), service.recheck(), service.recheck(), service.recheck()])
  // This person and those of the tests before.
  expect(service.asked() - before).toBe(2)
  sso.clock.pass(21 * HOUR)
  await service.recheck()
  expect(await service.stateOf(tab)).toEqual(IN)
})

test('the company sessions of a person whom the provider refuses end, and no others', async ({ sso, service }) => {
  const { employee, tab } = await service.signedIn()
  const mark = statement(
    'test.set-password',
    `update auth.users set encrypted_password = :hash where email = :email returning id`,
  )
  await sso.auth.db.query(mark, { email: employee.email, hash: await sso.auth.passwords.hash('seven quiet otters') })
  const password = sso.newTab()
  await signIn(sso, employee.email, password.client)
  sso.clock.pass(21 * HOUR)
  sso.provider.faults = { refusesRefresh: true }
  await service.recheck()
  expect([await service.stateOf(tab), await service.stateOf(password)]).toEqual([OUT, IN])
  expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
  sso.provider.faults = {}
  const before = service.asked()
  sso.clock.pass(21 * HOUR)
  await service.recheck()
  expect(service.asked() - before).toBe(0)
  expect(refusalOf(await sso.signIn(employee))).toBeNull()
})

test('threat 73: a provider that is down signs nobody out for seven days', async ({ sso, service }) => {
  const { tab } = await service.signedIn()
  sso.clock.pass(21 * HOUR)
  sso.provider.faults = { isDown: true }
  for (let day = 0; day < 6; day++) {
    await service.recheck()
    expect(await service.stateOf(tab)).toEqual(IN)
    sso.clock.pass(24 * HOUR)
  }
  await service.recheck()
  await service.stateOf(tab)
  sso.clock.pass(4 * HOUR)
  await service.recheck()
  expect(await service.stateOf(tab)).toEqual(OUT)
})

test('threat 73: a provider that answers again within seven days confirms the person', async ({ sso, service }) => {
  const { tab } = await service.signedIn()
  sso.clock.pass(21 * HOUR)
  sso.provider.faults = { isDown: true }
  await service.recheck()
  sso.clock.pass(5 * 24 * HOUR)
  sso.provider.faults = {}
  await service.recheck()
  sso.clock.pass(5 * 24 * HOUR)
  sso.provider.faults = { isDown: true }
  await service.recheck()
  expect(await service.stateOf(tab)).toEqual(IN)
})
