import { createHash } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import { setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { createSign, readSigns, revokeSign } from '@deeb/core/signs/api'
import { MAX_SIGNS } from '@deeb/core/signs/sign'
import { v7 as uuidv7 } from 'uuid'
import { expect, vi } from 'vitest'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { authSessionOf, type MadeUser, makePersonalToken, makeUser } from '../testing/make.ts'
import { fetchSign, makeSign, openDisplay } from '../testing/signs.ts'
import { test as base } from '../testing/test.ts'

const test = base
  .extend('ann', ({ app }) => makeUser(app))
  .extend('signs', ({ app }) => {
    async function switchOn(user: MadeUser): Promise<string> {
      return (await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)).body.session.id
    }
    const switchOff = (user: MadeUser, sessionId: string) => app.call(stopFocus, { sessionId }, user)
    return { switchOn, switchOff }
  })

test('a sign shows the state alone, unless its owner chose more', async ({ app, clock, ann, signs }) => {
  const plain = await makeSign(app, ann)
  const full = await makeSign(app, ann, { showsName: true, showsUntil: true })
  const free = { state: 'free', since: null, until: null, asOf: clock.now().toISOString() }
  expect((await fetchSign(app, plain.token)).json()).toEqual(free)
  const sessionId = await signs.switchOn(ann)
  await app.call(setTarget, { sessionId, targetMinutes: 50 }, ann)
  const since = clock.now()
  expect((await fetchSign(app, plain.token)).json()).toEqual({ ...free, state: 'deep' })
  expect((await fetchSign(app, full.token)).json()).toEqual({
    state: 'deep',
    since: since.toISOString(),
    until: new Date(since.getTime() + 50 * 60_000).toISOString(),
    name: ann.email.split('@')[0],
    asOf: since.toISOString(),
  })
  expect((await fetchSign(app, plain.token, {}, { format: 'txt' })).body).toBe('deep\n')
  expect((await fetchSign(app, full.token, {}, { format: 'txt' })).body).toMatch(
    /^deep until [\d-]+T[\d:]+Z - [\w-]+\n$/,
  )
  clock.advance({ minutes: 51 })
  expect((await fetchSign(app, full.token)).json()).toMatchObject({ state: 'deep', until: null })
})

test('a display that sends the ETag reads 304 until the state changes, and no cache may answer for the server', async ({
  app,
  clock,
  ann,
  signs,
}) => {
  const { token } = await makeSign(app, ann)
  const first = await fetchSign(app, token)
  expect(first.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    vary: expect.stringContaining('Authorization'),
  })
  const known = { 'if-none-match': String(first.headers.etag) }
  clock.advance({ seconds: 60 })
  const same = await fetchSign(app, token, known)
  expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', first.headers.etag])
  expect((await fetchSign(app, token, known, { format: 'txt' })).statusCode).toBe(200)
  await signs.switchOn(ann)
  expect((await fetchSign(app, token, known)).json()).toMatchObject({ state: 'deep' })
})

test('a stream delivers each switch, and its confirmation while nothing changes', async ({ app, ann, signs }) => {
  const { token } = await makeSign(app, ann)
  const display = await openDisplay(app, token)
  expect(display.state()).toBe('free')
  const sessionId = await signs.switchOn(ann)
  await display.until(({ state }) => state() === 'deep')
  await signs.switchOff(ann, sessionId)
  await display.until(({ state }) => state() === 'free')
  display.leave()
})

test('threat 171: what a stolen link reads before and after its revocation', async ({ app, ann, signs }) => {
  const [other, { id, token }] = [await makeUser(app), await makeSign(app, ann, { showsName: true })]
  const thief = await openDisplay(app, token)
  await signs.switchOn(ann)
  await thief.until(({ state }) => state() === 'deep')
  expect(Object.keys((await fetchSign(app, token)).json()).sort()).toEqual(['asOf', 'name', 'since', 'state', 'until'])

  // Only the owner can revoke it. Anybody else gets the same answer, and changes nothing.
  expect((await app.call(revokeSign, { id }, other)).body).toEqual({ revoked: true })
  expect((await fetchSign(app, token)).statusCode).toBe(200)

  expect((await app.call(revokeSign, { id }, ann)).body).toEqual({ revoked: true })
  await thief.until(({ hasEnded }) => hasEnded)
  expect(thief.events.at(-1)).toEqual({ type: 'bye', reason: 'renew' })
  const after = await fetchSign(app, token)
  expect([after.statusCode, after.json().code]).toEqual([401, 'not_signed_in'])
  expect((await openDisplay(app, token)).status).toBe(401)
})

test('the secret of a link is stored as a hash, and reaches no list, download or log', async ({ app, ann }) => {
  const { id, token } = await makeSign(app, ann, { showsName: true })
  await fetchSign(app, token)
  const list = await app.call(readSigns, {}, ann)
  const download = await app.call(readMyData, {}, ann)
  const hash = createHash('sha256').update(token).digest('hex')
  const [row] = await app.db.query<{ hash: Buffer }>(
    statement('test.sign-hash', 'select token_hash as hash from signs where id = :id'),
    { id },
  )
  expect(Buffer.from(row?.hash ?? '').toString('hex')).toBe(hash)
  for (const text of [JSON.stringify(list.body), JSON.stringify(download.body), app.log.join('')]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain(hash)
  }
  expect(download.body.signs).toMatchObject([{ id, label: 'Office', shows_name: true }])
})

test('the list says when a display was last seen, at most every five minutes', async ({ app, clock, ann }) => {
  const { id, token } = await makeSign(app, ann)
  const lastSeen = async () => (await app.call(readSigns, {}, ann)).body.signs[0]?.lastSeenAt
  expect(await lastSeen()).toBeNull()
  const seenAt = clock.now().toISOString()
  await fetchSign(app, token)
  clock.advance({ minutes: 4 })
  await fetchSign(app, token)
  expect(await lastSeen()).toBe(seenAt)
  clock.advance({ minutes: 2 })
  await fetchSign(app, token)
  expect((await app.call(readSigns, {}, ann)).body.signs).toMatchObject([{ id, lastSeenAt: clock.now().toISOString() }])
})

test(`a person has at most ${MAX_SIGNS} signs, also if they are made concurrently`, async ({ app, ann }) => {
  const create = () => app.call(createSign, { label: 'Office', showsName: false, showsUntil: false }, ann)
  const answers = await Promise.all(Array.from({ length: MAX_SIGNS + 2 }, create))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(MAX_SIGNS).fill(200), 409, 409])
})

test('a sign needs a recent re-authentication', async ({ app, ann }) => {
  const old = statement('test.unprove', 'update auth.sessions set proven_at = null where id = :id')
  await app.db.query(old, { id: authSessionOf(ann) })
  const { error } = await app.call(createSign, { label: 'Office', showsName: false, showsUntil: false }, ann)
  expect(error.code).toBe('proof_needed')
})

test('an access token opens no sign, and the secret of a sign opens nothing else', async ({ app, ann }) => {
  const { token } = await makeSign(app, ann)
  expect((await fetchSign(app, ann.accessToken)).statusCode).toBe(401)
  for (const url of ['/api/signs', '/api/home?timeZone=UTC', '/api/team', '/api/live', '/api/account/data']) {
    const headers = { authorization: `Bearer ${token}` }
    expect((await app.inject({ url, headers })).statusCode).toBe(401)
  }
})

test('wrong links are limited per network, and a display with a right one is still answered there', async ({
  app,
  clock,
  ann,
}) => {
  const { token } = await makeSign(app, ann)
  await fetchSign(app, token)
  const wrong = () => fetchSign(app, 'A'.repeat(22))
  for (let n = 0; n < LIMITS.wrongSign.burst; n++) await wrong()
  expect((await wrong()).statusCode).toBe(429)
  expect((await fetchSign(app, token)).statusCode).toBe(200)
  clock.advance({ minutes: 5 })
  expect((await wrong()).statusCode).toBe(401)
})

test('threat 172: past its limit a display is refused without a query, by its link or by a token', async ({
  app,
  ann,
}) => {
  const { token } = await makeSign(app, ann)
  const personal = await makePersonalToken(app, ann, ['sign'])
  for (const secret of [token, personal.token]) {
    for (let n = 0; n < LIMITS.readSign.burst; n++) expect((await fetchSign(app, secret)).statusCode).toBe(200)
    const query = vi.spyOn(app.db, 'query')
    expect((await fetchSign(app, secret)).statusCode).toBe(429)
    expect(query).not.toHaveBeenCalled()
    query.mockRestore()
  }
  expect((await fetchSign(app, (await makeSign(app, ann)).token)).statusCode).toBe(200)
})

test(`a sign has at most ${LIMITS.openSignStreams.max} streams, and takes none of a person's`, async ({ app, ann }) => {
  const { token } = await makeSign(app, ann)
  const displays = []
  for (let n = 0; n <= LIMITS.openSignStreams.max; n++) displays.push(await openDisplay(app, token))
  const [oldest, ...others] = displays
  await oldest?.until(({ hasEnded }) => hasEnded)
  expect(oldest?.events.at(-1)).toEqual({ type: 'bye', reason: 'too-many' })
  expect(others.some(({ hasEnded }) => hasEnded)).toBe(false)
  for (const display of others) display.leave()
})

test('the page for a browser without script is in the language of the browser', async ({ app, clock, ann }) => {
  const { token } = await makeSign(app, ann, { showsUntil: true })
  const page = async (form: string, language: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language }
    const { body } = await app.inject({ method: 'POST', url: '/sign', payload: `token=${form}`, headers })
    return [...body.matchAll(/<(?:title|h1 id="words"[^>]*|p id="times")>([^<]+)/g)].map(([, text]) => text)
  }
  const time = `${clock.now().toISOString().slice(11, 16)} UTC`
  expect(await page(token, 'en')).toEqual(['sign', 'free', `at ${time}`])
  expect(await page(token, 'de')).toEqual(['de sign', 'ansprechbar', `um ${time}`])
  expect(await page('wrong', 'de')).toEqual(['de sign', 'dieser Link funktioniert nicht'])
})
