import { saveClick, saveLead } from '@deeb/core/visitors/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

let round = 0
let somebody = ''
beforeEach(() => {
  round += 1
  somebody = `ann.${round}@fjordlab.example`
})

const leads = statement(
  'test.leads',
  'select email, source, created_at from email_leads where email = :email order by 2',
)
const clicks = statement(
  'test.clicks',
  'select button_name, page from click_analytics where user_session = :userSession order by created_at, button_name',
)
const leadsOf = (email: string) =>
  testApp.db.query<{ email: string; source: string; created_at: Date }>(leads, { email })

/** Each test calls from an address of its own, as limits go by address. */
async function post(url: string, payload: object, remoteAddress = `10.1.${round}.1`) {
  const answer = await testApp.app.inject({ method: 'POST', url, payload, remoteAddress })
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], ...answer.json() }
}

describe('leaving an address', () => {
  const lead = (email: string, source = 'coming_soon_page') => post(saveLead.path, { email, source })

  test('keeps it in its one spelling, with its source', async () => {
    expect(await lead(` ${somebody.toUpperCase()} `)).toEqual({
      status: 200,
      email: somebody,
      source: 'coming_soon_page',
    })
    expect(await leadsOf(somebody)).toMatchObject([{ email: somebody, source: 'coming_soon_page' }])
  })

  test('again is not an error, keeps the first time, and is answered the same', async () => {
    const first = await lead(somebody)
    const firstRows = await leadsOf(somebody)
    testApp.clock.advance({ hours: 2 })
    expect(await lead(somebody)).toEqual(first)
    expect(await leadsOf(somebody)).toEqual(firstRows)
  })

  test('on two lists is two leads', async () => {
    await Promise.all([lead(somebody), lead(somebody, 'main_coming_soon'), lead(somebody, 'main_coming_soon')])
    expect((await leadsOf(somebody)).map(({ source }) => source)).toEqual(['coming_soon_page', 'main_coming_soon'])
  })

  test.each(['', ' ', 'ann', 'ann@fjordlab', 'ann@fjordlab.example, bob@fjordlab.example', 'a"b@fjordlab.example'])(
    'refuses %j, which is no address',
    async (email) => {
      expect(await lead(email)).toMatchObject({ status: 400, code: 'invalid_email' })
      expect(await leadsOf(email)).toEqual([])
    },
  )

  test('refuses a list that does not exist', async () => {
    expect(await lead(somebody, 'newsletter')).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(await leadsOf(somebody)).toEqual([])
  })

  test('is done a hundred times an hour from one address, and says when it may be done again', async () => {
    for (let n = 0; n < 100; n++) expect((await lead(`n${n}.${somebody}`)).status).toBe(200)
    expect(await lead(somebody)).toMatchObject({ status: 429, code: 'too_many_attempts', retryAfter: '36' })
    expect(await leadsOf(somebody)).toEqual([])
    const elsewhere = await post(saveLead.path, { email: somebody, source: 'coming_soon_page' }, `10.1.${round}.2`)
    expect(elsewhere.status).toBe(200)
    testApp.clock.advance({ seconds: 36 })
    expect((await lead(somebody)).status).toBe(200)
  })
})

describe('a click', () => {
  test('is kept under its button, its page and its label, each time', async () => {
    const click = { buttonName: 'book_demo', page: 'employers', userSession: `label${round}` }
    expect(await post(saveClick.path, click)).toEqual({ status: 200, ...click })
    expect((await post(saveClick.path, click)).status).toBe(200)
    const kept = { button_name: 'book_demo', page: 'employers' }
    expect(await testApp.db.query(clicks, { userSession: click.userSession })).toEqual([kept, kept])
  })

  test.each(['', 'x\0y', 'x\ud800', 'a b', 'x'.repeat(65)])(
    'under %j, which is no label, is refused',
    async (userSession) => {
      const click = { buttonName: 'book_demo', page: 'employers', userSession }
      expect(await post(saveClick.path, click)).toMatchObject({ status: 400, code: 'invalid_input' })
    },
  )

  test.each([
    { buttonName: 'book_demo', page: 'homepage' },
    { buttonName: 'tell_company', page: 'employers' },
    { buttonName: 'sign_in', page: 'homepage' },
    { buttonName: 'book_demo', page: 'teams' },
  ])('on $buttonName of $page is none that is counted', async (click) => {
    const userSession = `label${round}`
    expect(await post(saveClick.path, { ...click, userSession })).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(await testApp.db.query(clicks, { userSession })).toEqual([])
  })
})

describe('a form sent without script', () => {
  async function submit(path: string, email: string, headers: Record<string, string> = {}) {
    const answer = await testApp.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ email }).toString(),
      remoteAddress: `10.1.${round}.1`,
    })
    return [answer.statusCode, answer.headers.location ?? answer.json().code]
  }

  test.each([
    ['/coming-soon', 'coming_soon_page'],
    ['/waitlist', 'main_coming_soon'],
  ])('of %s is kept and leads back to the page that says so', async (path, source) => {
    expect(await submit(path, somebody)).toEqual([303, `${path}#saved`])
    expect(await leadsOf(somebody)).toMatchObject([{ source }])
  })

  test('that names no address leads back to the form', async () => {
    expect(await submit('/coming-soon', 'ann')).toEqual([303, '/coming-soon#not-saved'])
    expect(await leadsOf('ann')).toEqual([])
  })

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'none' }],
  ])('from another site (%o) is not kept', async (headers) => {
    expect(await submit('/coming-soon', somebody, headers as Record<string, string>)).toEqual([
      303,
      '/coming-soon#not-now',
    ])
    expect(await leadsOf(somebody)).toEqual([])
  })

  test.each([[{ 'sec-fetch-site': 'same-origin', origin: 'null' }], [{ origin: 'http://localhost:3000' }]])(
    'from our own page (%o) is kept',
    async (headers) => {
      expect(await submit('/coming-soon', somebody, headers as Record<string, string>)).toEqual([
        303,
        '/coming-soon#saved',
      ])
      expect(await leadsOf(somebody)).toHaveLength(1)
    },
  )

  test('counts against the one limit, whichever way an address comes', async () => {
    for (let n = 0; n < 50; n++) await submit('/waitlist', `n${n}.${somebody}`)
    for (let n = 50; n < 100; n++) await submit('/coming-soon', `n${n}.${somebody}`)
    expect(await submit('/waitlist', somebody)).toEqual([303, '/waitlist#not-now'])
    const call = await post(saveLead.path, { email: somebody, source: 'coming_soon_page' })
    expect(call).toMatchObject({ status: 429, code: 'too_many_attempts' })
    expect(await leadsOf(somebody)).toEqual([])
  })

  test('is taken by the two pages and nowhere else, and only when it is small and a form', async () => {
    expect(await submit('/', somebody)).toEqual([404, 'not_found'])
    expect(await submit(saveLead.path, somebody)).toEqual([415, 'json_required'])
    expect(await submit('/coming-soon', 'x'.repeat(3000))).toEqual([303, '/coming-soon#not-now'])
    for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/json']) {
      expect(await submit('/waitlist', somebody, { 'content-type': type })).toEqual([303, '/waitlist#not-now'])
    }
    expect(await leadsOf(somebody)).toEqual([])
  })
})

test('with the database gone, a form leads back to itself and a call says unavailable', async () => {
  const other = await startTestApp()
  await other.db.close()
  const form = await other.app.inject({
    method: 'POST',
    url: '/coming-soon',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `email=${encodeURIComponent(somebody)}`,
  })
  expect([form.statusCode, form.headers.location]).toEqual([303, '/coming-soon#not-now'])
  const call = await other.app.inject({
    method: 'POST',
    url: saveLead.path,
    payload: { email: somebody, source: 'coming_soon_page' },
  })
  expect([call.statusCode, call.json().code]).toEqual([503, 'unavailable'])
  await other.app.close()
})
