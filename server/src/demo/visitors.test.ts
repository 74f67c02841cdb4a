// Runs in npm run test:all, on PostgreSQL.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteAccount } from '@deeb/core/account/api'
import { createCalendarLink } from '@deeb/core/calendar/api'
import { readHome } from '@deeb/core/home/api'
import { readCompany } from '@deeb/core/report/api'
import { type Connection, quitConnection, readTeam, requestConnection, searchColleagues } from '@deeb/core/team/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { VISITS } from './demo-page.ts'
import { startDemo } from './start-demo.ts'
import { RENEW_EVERY_MS } from './visitors.ts'

type Demo = Awaited<ReturnType<typeof startPublicDemo>>
let shared: Demo
beforeAll(async () => {
  shared = await startPublicDemo()
})
afterAll(() => shared.stop())

/** A demo behind a proxy on this machine, which forwards the address of its visitor. */
async function startPublicDemo(maxVisitors?: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-demo-test-'))
  const clock = { at: Date.parse('2026-11-26T14:40:00Z') }
  const PORT = `${await freePort()}`
  const demo = await startDemo({
    env: {
      PORT,
      PUBLIC_URL: 'https://demo.example.com',
      TRUST_PROXY: '127.0.0.1',
      DATABASE_URL: 'postgres://not.read',
    },
    dataDir,
    now: () => new Date(clock.at),
    ...(maxVisitors && { maxVisitors }),
  })
  const stop = async () => {
    await demo.stop()
    await rm(dataDir, { recursive: true })
  }
  const call = async (method: string, path: string, { body, token, ip = '198.51.100.1' }: Sent = {}) => {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': ip,
        'x-forwarded-proto': 'https',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    }
  }
  /** Visits as the page does. */
  const visit = async (ip?: string) => {
    const person = await call('POST', '/demo/person', { ...(ip && { ip }) })
    expect(person.status).toBe(200)
    const { status, body } = await call('POST', '/auth/v1/token?grant_type=password', {
      body: person.body,
      ...(ip && { ip }),
    })
    expect(status).toBe(200)
    return { ...(person.body as { email: string; password: string }), token: body.access_token as string }
  }
  return { url: demo.url, call, visit, clock, stop }
}

interface Sent {
  body?: object
  token?: string
  ip?: string
}

test('threat 245: each visitor has a company of their own, and changes nothing that another one sees', async () => {
  const { call, visit } = shared
  const [ann, bea] = [await visit('198.51.100.1'), await visit('198.51.100.2')]
  expect([ann.email, bea.email]).toEqual(['mara.lind@fjordlab.example', 'mara.lind@fjordlab2.example'])
  /** Reads what does not change by itself: every few seconds a colleague switches. */
  const view = async ({ token }: { token: string }) => {
    const read = async (path: string) => (await call('GET', path, { token })).body
    const { connections, requests, circles } = await read(readTeam.path)
    const people = (connections as Connection[]).map(({ id, person }) => ({ id, person }))
    const { members } = await read(readCompany.path)
    const { people: found } = await read(`${searchColleagues.path}?query=mara`)
    const { username } = (await read(`${readHome.path}?timeZone=UTC`)).profile
    return { people, requests, circles, members, found, username, user: await read('/auth/v1/user') }
  }
  const before = await view(bea)
  expect([before.people.length, before.requests.length, before.circles.length]).toEqual([11, 3, 2])
  expect(before.username).toBe('mara')
  expect(JSON.stringify(before)).not.toContain('@fjordlab.example')
  const theirs = (await call('GET', readTeam.path, { token: ann.token })).body
  for (const { id } of theirs.connections) {
    const quit = { token: ann.token, body: { connectionId: id } }
    expect((await call('POST', quitConnection.path, quit)).status).toBe(200)
  }
  for (const { person } of before.people) {
    const request = { token: ann.token, body: { userId: person.id } }
    expect((await call('POST', requestConnection.path, request)).status).toBe(404)
  }
  const guess = { email: bea.email, password: 'a guess of ann' }
  for (let n = 0; n < 5; n++) await call('POST', '/auth/v1/token?grant_type=password', { body: guess })
  await call('POST', '/auth/v1/recover', { body: { email: bea.email } })
  const { password } = ann
  expect((await call('POST', deleteAccount.path, { token: ann.token, body: { password } })).status).toBe(200)
  expect(await view(bea)).toEqual(before)
  const again = await call('POST', '/auth/v1/token?grant_type=password', { body: bea, ip: '198.51.100.2' })
  expect(again.status).toBe(200)
})

test('works behind a proxy: limits are per visitor, links lead to the public address, and only its settings are read', async () => {
  const { url, call } = shared
  expect(url).toBe('https://demo.example.com/demo')
  expect((await call('GET', '/companiesLP4358')).text).toContain('href="https://demo.example.com/demo"')
  const guess = { email: 'mara.lind@fjordlab.example', password: 'a guess' }
  const tried = async (ip: string) =>
    (await call('POST', '/auth/v1/token?grant_type=password', { body: guess, ip })).status
  for (let n = 0; n < 60; n++) await tried('198.51.100.1')
  expect([await tried('198.51.100.1'), await tried('198.51.100.2')]).toEqual([429, 400])
  expect((await call('POST', '/auth/v1/signup', { body: guess })).body.error_code).toBe('signup_disabled')
})

test('later than a sign-in is recent, a visitor is not asked for the password, which the demo never shows', async () => {
  const timers = vi.spyOn(globalThis, 'setInterval')
  const { call, visit, clock, stop } = await startPublicDemo(1)
  const renew = timers.mock.calls.find(([, everyMs]) => everyMs === RENEW_EVERY_MS)?.[0]
  timers.mockRestore()
  const { token } = await visit()
  const create = async () => (await call('POST', createCalendarLink.path, { token, body: {} })).status
  clock.at += 16 * 60_000
  expect(await create()).toBe(403)
  renew?.()
  await expect.poll(create).toBe(200)
  await stop()
})

// Each company takes seconds of a processor.
test('threat 246: a network makes few accounts, and the number of visitors is bounded: a new one replaces one who came two hours ago', async () => {
  const { call, visit, clock, stop } = await startPublicDemo(2)
  const [first, second] = [await visit('198.51.100.1'), await visit('198.51.100.2')]
  const refused = await call('POST', '/demo/person', { ip: '198.51.100.3' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7200'])
  clock.at += 2 * 3_600_000
  const third = await visit('198.51.100.3')
  expect(third.email).not.toBe(second.email)
  const signIn = async (body: { email: string; password: string }) =>
    (await call('POST', '/auth/v1/token?grant_type=password', { body })).status
  expect([await signIn(first), await signIn(second), await signIn(third)]).toEqual([400, 200, 200])
  const sent = await Promise.all(
    Array.from({ length: VISITS.burst + 1 }, (_, n) => call('POST', '/demo/person', { ip: `2001:db8:1:${n}::9` })),
  )
  const waits = sent.filter(({ status }) => status === 429).map(({ headers }) => Number(headers.get('retry-after')))
  expect(waits.filter((seconds) => seconds === VISITS.seconds / VISITS.burst)).toHaveLength(1)
  await stop()
})
