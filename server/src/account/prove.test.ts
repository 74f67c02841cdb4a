import { prove } from '@deeb/core/account/api'
import { expect } from 'vitest'
import { createAuthClient } from '../testing/auth-client.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend(
  'begin',
  ({ app }) =>
    async function begin({ accessToken }: Pick<MadeUser, 'accessToken'>): Promise<[number, string | undefined]> {
      const answer = await app.inject({
        method: 'POST',
        url: '/auth/v1/factors',
        headers: { authorization: `Bearer ${accessToken}` },
        payload: { factor_type: 'totp' },
      })
      return [answer.statusCode, answer.json().code]
    },
)

test('threat 84: re-authentication lets only this auth session add a factor for 15 minutes', async ({
  app,
  clock,
  begin,
}) => {
  const ann = await makeUser(app)
  const other = createAuthClient(app.app)
  const { data } = await other.signInWithPassword({ email: ann.email, password: PASSWORD })
  clock.advance({ minutes: 15 })
  const thief = { accessToken: data.session?.access_token ?? '' }
  expect(await begin(ann)).toEqual([400, 'reauthentication_needed'])
  const { body } = await app.call(prove, { password: PASSWORD }, ann)
  expect(body).toEqual({ provenUntil: new Date(clock.now().getTime() + 15 * 60_000).toISOString() })
  expect(await begin(ann)).toEqual([200, undefined])
  expect(await begin(thief)).toEqual([400, 'reauthentication_needed'])
  clock.advance({ minutes: 15 })
  expect(await begin(ann)).toEqual([400, 'reauthentication_needed'])
})

test('threat 84: prove limits a brute force of the password', async ({ app, clock, begin }) => {
  const ann = await makeUser(app)
  const guess = (password: string) => app.call(prove, { password }, ann)
  for (let n = 1; n <= 6; n++) expect((await guess('not this one')).error.code).toBe('wrong_password')
  const slowed = await guess(PASSWORD)
  expect([slowed.status, slowed.error.code]).toEqual([429, 'too_many_attempts'])
  clock.advance({ minutes: 15 })
  expect(await begin(ann)).toEqual([400, 'reauthentication_needed'])
})
