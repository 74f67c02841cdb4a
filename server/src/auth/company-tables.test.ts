import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { statement, violatedConstraint } from '../db/db.ts'
import { addCompany, connectIdentity } from '../testing/company.ts'
import { makeUser } from '../testing/make.ts'
import { test } from '../testing/test.ts'

const constraintOf = (work: Promise<unknown>) => work.then(() => null, violatedConstraint)

test('threat 57: the issuer of a provider cannot change, its other settings can', async ({ authApp }) => {
  const { db } = authApp.auth
  const id = await addCompany(db, 'issuer.example')
  const swap = statement('test.swap-issuer', 'update auth.sso_providers set issuer = :issuer where id = :id')
  expect(await constraintOf(db.query(swap, { id, issuer: 'https://evil.example' }))).toBe('sso_providers_keep_issuer')
  const move = statement('test.move-provider', 'update auth.sso_providers set id = :other where id = :id')
  expect(await constraintOf(db.query(move, { id, other: randomUUID() }))).toBe('sso_providers_keep_issuer')
  const rename = statement('test.rename-provider', "update auth.sso_providers set name = 'Other' where id = :id")
  expect(await constraintOf(db.query(rename, { id }))).toBeNull()
})

test('an identity names its provider, and an account has one of each', async ({ authApp }) => {
  const { db } = authApp.auth
  const providerId = await addCompany(db, 'one.example')
  const { userId } = await makeUser(authApp)
  await connectIdentity(db, { userId, providerId })
  expect(await constraintOf(connectIdentity(db, { userId, providerId, subject: 'other' }))).toBe(
    'identities_one_per_provider',
  )
  const rename = statement(
    'test.rename-identity',
    'update auth.identities set provider = :provider where user_id = :userId and sso_provider_id = :providerId',
  )
  for (const provider of ['google', `sso:${randomUUID()}`]) {
    expect(await constraintOf(db.query(rename, { userId, providerId, provider }))).toBe('identities_sso_named')
  }
})
