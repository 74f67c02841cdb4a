import { createHash } from 'node:crypto'
import { claimCase, createCase, readCases, revokeCase, tapCase } from '@deeb/core/cases/api'
import { MAX_CASES } from '@deeb/core/cases/case'
import { readFocus } from '@deeb/core/focus/program-api'
import { expect } from 'vitest'
import { caseOrder, printCases } from '../admin/cases.ts'
import { statement } from '../db/db.ts'
import { makeLinkSecret } from '../lib/link-secret.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('cases', ({ app, clock }) => {
  /** The codes of a sheet that an administrator has printed. */
  const print = async (domain: string, count: number) => {
    const order = { domain, count, language: 'en' as const }
    const lines = await printCases(app.db, order, 'https://deeb.example', clock.now())
    return lines.filter((line) => line.startsWith('<li>'))
  }
  const storeUnclaimed = async (domain: string) => {
    const { secret, hash } = makeLinkSecret()
    const insert = statement(
      'test.insert-case',
      'insert into cases (id, company_domain, code_hash, since) values (gen_random_uuid(), :domain, :hash, :now)',
    )
    await app.db.query(insert, { domain, hash, now: clock.now() })
    return secret
  }
  return { print, storeUnclaimed }
})

test('a code is its owner’s until it is revoked, and a tap changes nothing', async ({ app, clock }) => {
  const ann = await makeUser(app)
  const { id, code } = (await app.call(createCase, {}, ann)).body
  expect((await app.call(readCases, {}, ann)).body).toEqual({ cases: [{ id, since: clock.now().toISOString() }] })
  const before = (await app.call(readFocus, {}, ann)).body
  expect((await app.call(tapCase, { code }, ann)).body).toEqual({ whose: 'own' })
  expect((await app.call(readFocus, {}, ann)).body).toEqual(before)
  const stored = statement('test.codes', "select encode(code_hash, 'hex') as hash from cases where id = :id")
  expect(await app.db.query(stored, { id })).toEqual([{ hash: createHash('sha256').update(code).digest('hex') }])
  for (const _ of [1, 2]) expect((await app.call(revokeCase, { id }, ann)).body).toEqual({ revoked: true })
  expect((await app.call(tapCase, { code }, ann)).status).toBe(404)
})

test('threat 276: another’s, a revoked and an unknown code have the same answer', async ({ app, cases }) => {
  const [ann, thief] = [await makeUser(app), await makeUser(app, { email: 'thief@other.example' })]
  const { code } = (await app.call(createCase, {}, ann)).body
  const gone = (await app.call(createCase, {}, ann)).body
  await app.call(revokeCase, { id: gone.id }, ann)
  const ofCompany = await cases.storeUnclaimed(ann.email.split('@')[1] ?? '')
  const claimed = await cases.storeUnclaimed('other.example')
  await app.call(claimCase, { code: claimed }, await makeUser(app, { email: 'first@other.example' }))
  const answers = []
  for (const wrong of [code, gone.code, ofCompany, claimed, 'A'.repeat(22)]) {
    for (const endpoint of [tapCase, claimCase]) {
      const { status, body } = await app.call(endpoint, { code: wrong }, thief)
      answers.push([status, { ...body, requestId: '' }])
    }
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.[0]).toBe(404)
})

test('threat 277: guesses from a network are limited, and its owners of codes are not', async ({ app, clock }) => {
  const owner = await makeUser(app)
  const { code } = (await app.call(createCase, {}, owner)).body
  const guessers = await Promise.all(Array.from({ length: 6 }, () => makeUser(app)))
  clock.advance({ seconds: LIMITS.wrongCase.seconds })
  const statuses: number[] = []
  for (const guesser of guessers) {
    for (let n = 0; n < LIMITS.tapCase.burst; n++) {
      const guess = createHash('sha256').update(`${guesser.userId} ${n}`).digest('base64url').slice(0, 22)
      statuses.push((await app.call(tapCase, { code: guess }, guesser)).status)
    }
  }
  expect(statuses.filter((status) => status === 404)).toHaveLength(LIMITS.wrongCase.burst)
  expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - LIMITS.wrongCase.burst)
  expect((await app.call(tapCase, { code }, owner)).status).toBe(200)
  clock.advance({ seconds: LIMITS.wrongCase.seconds })
  expect((await app.call(tapCase, { code: 'A'.repeat(22) }, owner)).status).toBe(404)
})

test('of colleagues who claim a printed code concurrently one gets it, and a sixth code has no room', async ({
  app,
  cases,
}) => {
  const first = await makeUser(app, { email: 'p1@plugs.example' })
  const people = [first, ...(await Promise.all([2, 3].map((n) => makeUser(app, { email: `p${n}@plugs.example` }))))]
  const code = await cases.storeUnclaimed('plugs.example')
  expect((await app.call(tapCase, { code }, first)).body).toEqual({ whose: 'unclaimed' })
  const answers = await Promise.all(people.map((person) => app.call(claimCase, { code }, person)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  const owner = people[answers.findIndex(({ status }) => status === 200)] ?? first
  expect((await app.call(claimCase, { code }, owner)).body).toEqual({ whose: 'own' })
  const made = await Promise.all(Array.from({ length: MAX_CASES }, () => app.call(createCase, {}, owner)))
  expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409])
  const sixth = await cases.storeUnclaimed('plugs.example')
  expect((await app.call(claimCase, { code: sixth }, owner)).body).toMatchObject({ code: 'too_many_cases' })
  expect((await app.call(tapCase, { code: sixth }, owner)).body).toEqual({ whose: 'unclaimed' })
})

test('an administrator prints codes for a company with people only', async ({ app, cases }) => {
  await makeUser(app, { email: 'ann@sheet.example' })
  expect(await cases.print('sheet.example', 40)).toHaveLength(40)
  await expect(cases.print('nobody.example', 1)).rejects.toThrow('Nobody has an account at nobody.example.')
  expect(caseOrder(['Sheet.example', '40', '--language', 'de'])).toEqual({
    domain: 'sheet.example',
    count: 40,
    language: 'de',
  })
  for (const wrong of [
    [],
    ['sheet.example'],
    ['sheet.example', '0'],
    ['sheet.example', '1000'],
    ['x', '4'],
    ['sheet.example', '4', '--language', 'xx'],
  ])
    expect(caseOrder(wrong)).toBeNull()
})
