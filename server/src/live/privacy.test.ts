import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { quitConnection, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newestLinkToken } from '../testing/auth-client.ts'
import { openStream, type TestStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
let ann: MadeUser
let friend: MadeUser
let control: TestStream
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  ann = await makeUser(testApp)
  friend = await makeUser(testApp)
  await makeConnection(testApp, ann, friend)
  control = await openStream(testApp, friend)
})

/**
 * Switches Ann on and off, then each of the others. An event is written to all streams in the same turn. So when her friend
 * has received it, and another user a later event, nothing about Ann can still arrive there.
 */
async function switchAnnThen(others: { person: MadeUser; stream: TestStream }[]) {
  const { session } = (await testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)).body
  await control.until((stream) => stream.of('presence').length === 1)
  await testApp.call(stopFocus, { sessionId: session.id }, ann)
  await control.until((stream) => stream.of('presence').length === 2)
  for (const { person, stream } of others.filter(({ stream }) => !stream.hasEnded)) {
    const before = stream.of('me-changed').length
    await testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, person)
    await stream.until((stream) => stream.of('me-changed').length > before)
  }
}

const opened = async (person: MadeUser) => ({ person, stream: await openStream(testApp, person) })

test('privacy: no presence leaks to strangers, colleagues or either side of a pending request', async () => {
  const [stranger, colleague, asks, asked] = await Promise.all([
    makeUser(testApp, { email: `${uuidv7()}@elsewhere.example` }),
    makeUser(testApp),
    makeUser(testApp),
    makeUser(testApp),
  ])
  await testApp.call(requestConnection, { userId: ann.userId }, asks)
  await testApp.call(requestConnection, { userId: asked.userId }, ann)
  const others = await Promise.all([stranger, colleague, asks, asked].map(opened))
  await switchAnnThen(others)
  for (const { stream } of others) {
    expect(JSON.stringify(stream.deliveries)).not.toContain(ann.userId)
    stream.leave()
  }
})

test.each(['the switching user', 'the other'])(
  'a former connection receives no presence after %s quit',
  async (quitter) => {
    const former = await opened(await makeUser(testApp))
    const connectionId = await makeConnection(testApp, former.person, ann)
    await testApp.call(quitConnection, { connectionId }, quitter === 'the switching user' ? ann : former.person)
    await switchAnnThen([former])
    expect(former.stream.of('presence')).toEqual([])
    expect(former.stream.of('team-changed')).toHaveLength(1)
    former.stream.leave()
  },
)

test('a stream receives no presence after sign-out', async () => {
  const left = await opened(await makeUser(testApp))
  await makeConnection(testApp, left.person, ann)
  const headers = { authorization: `Bearer ${left.person.accessToken}` }
  await testApp.app.inject({ method: 'POST', url: '/auth/v1/logout', headers })
  await switchAnnThen([left])
  await left.stream.until(({ hasEnded }) => hasEnded)
  expect(left.stream.of('presence')).toEqual([])
})

test('a user who left the company receives no presence, and their connections refetch the team', async () => {
  const { app, auth, mailer } = testApp
  const left = await opened(await makeUser(testApp))
  await makeConnection(testApp, left.person, ann)
  const annStream = await openStream(testApp, ann)
  const headers = { authorization: `Bearer ${left.person.accessToken}` }
  const email = `${uuidv7()}@elsewhere.example`
  const change = { email, current_password: PASSWORD }
  await app.inject({ method: 'PUT', url: '/auth/v1/user', headers, payload: change })
  const token_hash = await newestLinkToken({ config: auth.config, mailer }, email, 'email_change')
  const link = { type: 'email_change', token_hash }
  const opening = await app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload: link })
  await annStream.until((stream) => stream.of('team-changed').length === 1)
  const again = await opened({ ...left.person, accessToken: opening.json().access_token })
  await switchAnnThen([again])
  expect(JSON.stringify([...left.stream.deliveries, ...again.stream.deliveries])).not.toContain(ann.userId)
  for (const stream of [annStream, again.stream]) stream.leave()
})
