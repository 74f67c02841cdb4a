import { prove, readSignIn } from '@deeb/core/account/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { addCompany, connectIdentity, makePasswordless } from '../testing/company.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

const read = async (user: MadeUser) => (await testApp.call(readSignIn, {}, user)).body
const in15Minutes = () => new Date(testApp.clock.now().getTime() + 15 * 60_000).toISOString()

test('readSignIn says until when the auth session is re-authenticated', async () => {
  const ann = await makeUser(testApp)
  expect(await read(ann)).toEqual({ hasPassword: true, company: null, secondFactor: null, provenUntil: in15Minutes() })
  testApp.clock.advance({ minutes: 15 })
  expect((await read(ann)).provenUntil).toBeNull()
  const { provenUntil } = (await testApp.call(prove, { password: PASSWORD }, ann)).body
  expect(await read(ann)).toMatchObject({ provenUntil })
})

test('readSignIn names the identity provider of the domain of the address, where a password may be no way in', async () => {
  const [ann, bea] = [await makeUser(testApp), await makeUser(testApp, { email: 'bea@elsewhere.example' })]
  const providerId = await addCompany(testApp.db, 'fjordlab.example', { onlySso: true })
  const company = { name: 'Fjordlab', domain: 'fjordlab.example', only: true, connected: false }
  // It no longer signs in, so it is no proof either.
  expect(await read(ann)).toMatchObject({ hasPassword: false, company })
  expect((await testApp.call(prove, { password: PASSWORD }, ann)).body).toMatchObject({ code: 'wrong_password' })
  await connectIdentity(testApp.db, { userId: bea.userId, providerId })
  expect(await read(ann)).toMatchObject({ company })
  await makePasswordless(testApp.db, { userId: ann.userId, providerId })
  expect(await read(ann)).toMatchObject({ hasPassword: false, company: { ...company, connected: true } })
  expect(await read(bea)).toMatchObject({ company: null })
  const disable = statement('test.disable', 'update auth.sso_providers set disabled_at = now() where id = :providerId')
  await testApp.db.query(disable, { providerId })
  expect(await read(ann)).toMatchObject({ company: null })
})
