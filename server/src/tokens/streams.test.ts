import { endOtherAuthSessions } from '@deeb/core/account/api'
import { startFocus } from '@deeb/core/focus/api'
import { readFocus } from '@deeb/core/focus/program-api'
import { requestConnection } from '@deeb/core/team/api'
import { revokeToken } from '@deeb/core/tokens/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { addCompany } from '../testing/company.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makePersonalToken, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'

const test = base
  .extend('ann', { auto: true }, ({ app }) => makeUser(app))
  .extend('bea', { auto: true }, ({ app }) => makeUser(app))
  .extend('tokens', ({ app }) => {
    const listen = (accessToken: string) => openStream(app, { accessToken })
    const switchOn = (by: MadeUser) => app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, by)
    const status = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await app.inject({ url: readFocus.path, headers })).statusCode
    }
    return { listen, switchOn, status }
  })

test('threat 167: the stream of a token delivers what its scopes read', async ({ app, ann, bea, tokens }) => {
  await makeConnection(app, ann, bea)
  const { token } = await makePersonalToken(app, ann, ['switch'])
  const ofTeam = await makePersonalToken(app, ann, ['team'])
  const [narrow, team] = [await tokens.listen(token), await tokens.listen(ofTeam.token)]
  const cem = await makeUser(app)
  await app.call(requestConnection, { userId: ann.userId }, cem)
  await tokens.switchOn(bea)
  await team.until(({ of }) => of('presence').length > 0)
  await tokens.switchOn(ann)
  await narrow.until(({ of }) => of('me-changed').length > 0)
  expect(narrow.deliveries.flat().map(({ type }) => type)).toEqual(['hello', 'me-changed'])
  narrow.leave()
  team.leave()
})

describe('threat 162: the stream of a token ends immediately', () => {
  type Fixtures = Pick<FixturesOf<typeof test>, 'app' | 'ann'>
  test.for<[string, (fixtures: Fixtures, id: string) => Promise<unknown>]>([
    ['when it is revoked', ({ app, ann }, id) => app.call(revokeToken, { id }, ann)],
    ['when the other devices are signed out', ({ app, ann }) => app.call(endOtherAuthSessions, {}, ann)],
    [
      'with a new password',
      async ({ app, ann }) => {
        const device = createAuthClient(app.app)
        await device.signInWithPassword({ email: ann.email, password: PASSWORD })
        await device.updateUser({ password: 'nine loud herons', current_password: PASSWORD })
      },
    ],
  ])('%s, and its next call is refused', async ([_, act], { app, ann, tokens }) => {
    const { id, token } = await makePersonalToken(app, ann, ['switch'])
    const stream = await tokens.listen(token)
    expect(await tokens.status(token)).toBe(200)
    await act({ app, ann }, id)
    await stream.until(({ hasEnded }) => hasEnded)
    expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'renew' }])
    expect([await tokens.status(token), (await tokens.listen(token)).status]).toEqual([401, 401])
  })
})

test('threat 165: the streams of tokens are counted apart from those of their owner', async ({ app, ann, tokens }) => {
  const own = await openStream(app, ann)
  const { token } = await makePersonalToken(app, ann, ['switch'])
  const streams = []
  for (let n = 0; n <= LIMITS.openStreams.max; n++) streams.push(await tokens.listen(token))
  const [oldest, ...others] = streams
  await oldest?.until(({ hasEnded }) => hasEnded)
  expect([own, ...others].some(({ hasEnded }) => hasEnded)).toBe(false)
  for (const stream of [own, ...others]) stream.leave()
})

test('threat 163: where only the company signs in, a token works only while its owner is signed in', async ({
  app,
  clock,
  tokens,
}) => {
  const domain = 'tokens-only-by-company.com'
  const owner = await makeUser(app, { email: `ann@${domain}` })
  const { token } = await makePersonalToken(app, owner, ['switch'])
  await addCompany(app.db, domain, { onlySso: true })
  expect(await tokens.status(token)).toBe(200)
  const { userId } = owner
  await app.db.query(statement('test.sign-out', 'delete from auth.sessions where user_id = :userId'), { userId })
  clock.advance({ seconds: 31 })
  expect(await tokens.status(token)).toBe(401)
})
