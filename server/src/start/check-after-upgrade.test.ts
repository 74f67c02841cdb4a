import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { makeUser } from '../testing/make.ts'
import { test } from '../testing/test.ts'
import { checkAfterUpgrade } from './check-after-upgrade.ts'

test('the first start after an upgrade says whether totals and companies are right, and no other one does', async ({
  app,
}) => {
  const { userId } = await makeUser(app)
  const check = () => checkAfterUpgrade(app.db, app.auth.companyPolicy)
  expect(await check()).toEqual([])

  // The baseline is from before, and a migration has just followed it.
  const age = statement('test.age', "update schema_migrations set applied_at = now() - interval '1 day'")
  await app.db.query(age)
  expect(await check()).toEqual([])
  const follow = statement('test.follow', "insert into schema_migrations (name) values ('9000_newer.sql')")
  await app.db.query(follow)
  expect(await check()).toEqual(['The upgrade is done: all totals and companies are right.'])

  await app.db.query(statement('test.move', 'update profiles set company_domain = :domain where id = :userId'), {
    ...{ userId, domain: 'elsewhere.example' },
  })
  const total = statement(
    'test.wrong-total',
    "insert into daily_stats (user_id, date, total_seconds) values (:userId, '2026-06-15', 60)",
  )
  await app.db.query(total, { userId })
  expect(await check()).toEqual([
    expect.stringMatching(/^\d totals differ from their sessions: run totals rebuild\.$/),
    '1 people have another company than the settings say: run companies check.',
  ])
})
