import { prove, readSignIn } from '@deeb/core/account/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { addCompany, connectIdentity, makePasswordless } from '../testing/company.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('account', ({ app, clock }) => {
  const read = async (user: MadeUser) => (await app.call(readSignIn, {}, user)).body
  const in15Minutes = () => new Date(clock.now().getTime() + 15 * 60_000).toISOString()
  return { read, in15Minutes }
})

test('readSignIn says until when the auth session is re-authenticated', async ({ app, clock, account }) => {
  const ann = await makeUser(app)
  expect(await account.read(ann)).toEqual({
    hasPassword: true,
    company: null,
    secondFactor: null,
    provenUntil: account.in15Minutes(),
  })
  clock.advance({ minutes: 15 })
  expect((await account.read(ann)).provenUntil).toBeNull()
  const { provenUntil } = (await app.call(prove, { password: PASSWORD }, ann)).body
  expect(await account.read(ann)).toMatchObject({ provenUntil })
})

test('readSignIn names the identity provider of the domain of the address, where a password may be no way in', async ({
  app,
  account,
}) => {
  const [ann, bea] = [await makeUser(app), await makeUser(app, { email: 'bea@elsewhere.example' })]
  const providerId = await addCompany(app.db, 'fjordlab.example', { onlySso: true })
  const company = { name: 'Fjordlab', domain: 'fjordlab.example', only: true, connected: false }
  // It no longer signs in, so it is no proof either.
  expect(await account.read(ann)).toMatchObject({ hasPassword: false, company })
  expect((await app.call(prove, { password: PASSWORD }, ann)).body).toMatchObject({ code: 'wrong_password' })
  await connectIdentity(app.db, { userId: bea.userId, providerId })
  expect(await account.read(ann)).toMatchObject({ company })
  await makePasswordless(app.db, { userId: ann.userId, providerId })
  expect(await account.read(ann)).toMatchObject({ hasPassword: false, company: { ...company, connected: true } })
  expect(await account.read(bea)).toMatchObject({ company: null })
  const disable = statement('test.disable', 'update auth.sso_providers set disabled_at = now() where id = :providerId')
  await app.db.query(disable, { providerId })
  expect(await account.read(ann)).toMatchObject({ company: null })
})
