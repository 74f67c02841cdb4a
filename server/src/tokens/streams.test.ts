import { endOtherAuthSessions } from '@deeb/core/account/api'
import { readFocus, startFocus } from '@deeb/core/focus/api'
import { requestConnection } from '@deeb/core/team/api'
import { revokeToken } from '@deeb/core/tokens/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { addCompany } from '../testing/company.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makePersonalToken, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let ann: MadeUser
let bea: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  ann = await makeUser(testApp)
  bea = await makeUser(testApp)
})

const listen = (accessToken: string) => openStream(testApp, { accessToken })
const switchOn = (by: MadeUser) => testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, by)
const status = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await testApp.app.inject({ url: readFocus.path, headers })).statusCode
}

test('threat 167: the stream of a token delivers what its scopes read', async () => {
  await makeConnection(testApp, ann, bea)
  const { token } = await makePersonalToken(testApp, ann, ['switch'])
  const ofTeam = await makePersonalToken(testApp, ann, ['team'])
  const [narrow, team] = [await listen(token), await listen(ofTeam.token)]
  const cem = await makeUser(testApp)
  await testApp.call(requestConnection, { userId: ann.userId }, cem)
  await switchOn(bea)
  await team.until(({ of }) => of('presence').length > 0)
  await switchOn(ann)
  await narrow.until(({ of }) => of('me-changed').length > 0)
  expect(narrow.deliveries.flat().map(({ type }) => type)).toEqual(['hello', 'me-changed'])
  narrow.leave()
  team.leave()
})

describe('threat 162: the stream of a token ends immediately', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['when it is revoked', (id) => testApp.call(revokeToken, { id }, ann)],
    ['when the other devices are signed out', () => testApp.call(endOtherAuthSessions, {}, ann)],
    [
      'with a new password',
      async () => {
        const device = createAuthClient(testApp.app)
        await device.signInWithPassword({ email: ann.email, password: PASSWORD })
        await device.updateUser({ password: 'nine loud herons', current_password: PASSWORD })
      },
    ],
  ])('%s, and its next call is refused', async (_, act) => {
    const { id, token } = await makePersonalToken(testApp, ann, ['switch'])
    const stream = await listen(token)
    expect(await status(token)).toBe(200)
    await act(id)
    await stream.until(({ hasEnded }) => hasEnded)
    expect(stream.of('bye')).toEqual([{ type: 'bye', reason: 'renew' }])
    expect([await status(token), (await listen(token)).status]).toEqual([401, 401])
  })
})

test('threat 165: the streams of tokens are counted apart from those of their owner', async () => {
  const own = await openStream(testApp, ann)
  const { token } = await makePersonalToken(testApp, ann, ['switch'])
  const streams = []
  for (let n = 0; n <= LIMITS.openStreams.max; n++) streams.push(await listen(token))
  const [oldest, ...others] = streams
  await oldest?.until(({ hasEnded }) => hasEnded)
  expect([own, ...others].some(({ hasEnded }) => hasEnded)).toBe(false)
  for (const stream of [own, ...others]) stream.leave()
})

test('threat 163: where only the company signs in, a token works only while its owner is signed in', async () => {
  const domain = 'tokens-only-by-company.com'
  const owner = await makeUser(testApp, { email: `ann@${domain}` })
  const { token } = await makePersonalToken(testApp, owner, ['switch'])
  await addCompany(testApp.db, domain, { onlySso: true })
  expect(await status(token)).toBe(200)
  const { userId } = owner
  await testApp.db.query(statement('test.sign-out', 'delete from auth.sessions where user_id = :userId'), { userId })
  testApp.clock.advance({ seconds: 31 })
  expect(await status(token)).toBe(401)
})
