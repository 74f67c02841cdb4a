import type { CompanyPolicy } from '@deeb/core/account/company'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { makeConnection, makeUser } from '../testing/make.ts'
import { test } from '../testing/test.ts'
import { applyCompanies, checkCompanies } from './companies.ts'

const NOW = new Date('2026-06-15T09:00:00Z')
const NOBODY = ['All companies match the settings.']

const connections = statement('test.connections', 'select id from team_connections')
const companies = statement('test.companies', 'select email, company_domain as company from profiles order by email')

test('companies apply sets the company of the new settings and keeps connections within it', async ({ authApp }) => {
  const { db } = authApp.auth
  const [ann, bea] = [
    await makeUser(authApp, { email: 'ann@fjordlab.example' }),
    await makeUser(authApp, { email: 'bea@fjordlab.example' }),
  ]
  const [cleo, dan] = [
    await makeUser(authApp, { email: 'cleo@mailboxes.example' }),
    await makeUser(authApp, { email: 'dan@mailboxes.example' }),
  ]
  const kept = await makeConnection(authApp, ann, bea)
  await makeConnection(authApp, cleo, dan)
  const before = await authApp.auth.companyPolicy()
  expect(await checkCompanies(db, before)).toEqual(NOBODY)

  const after: CompanyPolicy = { ...before, freeMailDomains: new Set([...before.freeMailDomains, 'mailboxes.example']) }
  const lines = ['cleo', 'dan'].map((name) => `${name}@mailboxes.example\tmailboxes.example\t(none)`)
  expect(await checkCompanies(db, after)).toEqual(lines)
  expect(await applyCompanies(db, after, NOW)).toEqual(lines)
  expect(await applyCompanies(db, after, NOW)).toEqual(NOBODY)
  expect(await db.query(connections)).toEqual([{ id: kept }])
  expect(await db.query(companies)).toEqual([
    { email: 'ann@fjordlab.example', company: 'fjordlab.example' },
    { email: 'bea@fjordlab.example', company: 'fjordlab.example' },
    { email: 'cleo@mailboxes.example', company: null },
    { email: 'dan@mailboxes.example', company: null },
  ])

  await applyCompanies(db, before, NOW)
  expect(await checkCompanies(db, before)).toEqual(NOBODY)
  expect(await db.query(connections)).toEqual([{ id: kept }])
})
