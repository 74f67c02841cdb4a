import { saveClick, saveLead } from '@deeb/core/visitors/api'
import { beforeEach, describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { test as base } from '../testing/test.ts'
import { startTestApp } from '../testing/test-app.ts'

const test = base.extend('visitors', ({ app }) => {
  const leadsOf = (email: string) =>
    app.db.query<{ email: string; source: string; purpose: string | null; created_at: Date }>(leads, { email })
  /** Each test has its own IP address, because the limits are per IP. */
  async function post(url: string, payload: object, remoteAddress = `10.1.${round}.1`) {
    const answer = await app.inject({ method: 'POST', url, payload, remoteAddress })
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], ...answer.json() }
  }
  const lead = (email: string, source = 'coming_soon_page') => post(saveLead.path, { email, source })
  async function submit(path: string, email: string, headers: Record<string, string> = {}) {
    const answer = await app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ email }).toString(),
      remoteAddress: `10.1.${round}.1`,
    })
    return [answer.statusCode, answer.headers.location ?? answer.json().code]
  }
  return { leadsOf, post, lead, submit }
})

let round = 0
let somebody = ''
beforeEach(() => {
  round += 1
  somebody = `ann.${round}@fjordlab.example`
})

const leads = statement(
  'test.leads',
  'select email, source, purpose, created_at from email_leads where email = :email order by 2',
)
const clicks = statement(
  'test.clicks',
  'select button_name, page from click_analytics where user_session = :userSession order by created_at, button_name',
)

describe('a lead', () => {
  test('is stored with the normalized address and its source', async ({ visitors }) => {
    expect(await visitors.lead(` ${somebody.toUpperCase()} `)).toEqual({
      status: 200,
      email: somebody,
      source: 'coming_soon_page',
    })
    expect(await visitors.leadsOf(somebody)).toMatchObject([{ email: somebody, source: 'coming_soon_page' }])
  })

  test('is idempotent: a repeat keeps the first time and has the same response', async ({ clock, visitors }) => {
    const first = await visitors.lead(somebody)
    const firstRows = await visitors.leadsOf(somebody)
    clock.advance({ hours: 2 })
    expect(await visitors.lead(somebody)).toEqual(first)
    expect(await visitors.leadsOf(somebody)).toEqual(firstRows)
  })

  test('is stored once per list', async ({ visitors }) => {
    await Promise.all([
      visitors.lead(somebody),
      visitors.lead(somebody, 'main_coming_soon'),
      visitors.lead(somebody, 'main_coming_soon'),
    ])
    expect((await visitors.leadsOf(somebody)).map(({ source }) => source)).toEqual([
      'coming_soon_page',
      'main_coming_soon',
    ])
  })

  test('keeps what the visitor asked for last, and the first time', async ({ clock, visitors }) => {
    const purposes = async () => (await visitors.leadsOf(somebody)).map(({ purpose }) => purpose)
    await visitors.lead(somebody)
    expect(await purposes()).toEqual([null])
    const [first] = await visitors.leadsOf(somebody)
    clock.advance({ hours: 2 })
    for (const purpose of ['info_sheet', 'demo']) {
      const answer = await visitors.post(saveLead.path, { email: somebody, source: 'coming_soon_page', purpose })
      expect(answer).toEqual({ status: 200, email: somebody, source: 'coming_soon_page', purpose })
      expect(await visitors.leadsOf(somebody)).toEqual([{ ...first, purpose }])
    }
    await visitors.lead(somebody)
    expect(await purposes()).toEqual(['demo'])
    const unknown = { email: somebody, source: 'coming_soon_page', purpose: 'gift' }
    expect(await visitors.post(saveLead.path, unknown)).toMatchObject({ status: 400, code: 'invalid_input' })
  })

  test.for(['', ' ', 'ann', 'ann@fjordlab', 'ann@fjordlab.example, bob@fjordlab.example', 'a"b@fjordlab.example'])(
    'is rejected for %j, which is no email address',
    async (email, { visitors }) => {
      expect(await visitors.lead(email)).toMatchObject({ status: 400, code: 'invalid_email' })
      expect(await visitors.leadsOf(email)).toEqual([])
    },
  )

  test('is rejected for an unknown list', async ({ visitors }) => {
    expect(await visitors.lead(somebody, 'newsletter')).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(await visitors.leadsOf(somebody)).toEqual([])
  })

  test('is limited to 100 per hour and IP, with Retry-After', async ({ clock, visitors }) => {
    for (let n = 0; n < 100; n++) expect((await visitors.lead(`n${n}.${somebody}`)).status).toBe(200)
    expect(await visitors.lead(somebody)).toMatchObject({ status: 429, code: 'too_many_attempts', retryAfter: '36' })
    expect(await visitors.leadsOf(somebody)).toEqual([])
    const elsewhere = await visitors.post(
      saveLead.path,
      { email: somebody, source: 'coming_soon_page' },
      `10.1.${round}.2`,
    )
    expect(elsewhere.status).toBe(200)
    clock.advance({ seconds: 36 })
    expect((await visitors.lead(somebody)).status).toBe(200)
  })
})

describe('a click', () => {
  test('is stored each time with its button, page and label', async ({ app, visitors }) => {
    const click = { buttonName: 'book_demo', page: 'employers', userSession: `label${round}` }
    expect(await visitors.post(saveClick.path, click)).toEqual({ status: 200, ...click })
    expect((await visitors.post(saveClick.path, click)).status).toBe(200)
    const kept = { button_name: 'book_demo', page: 'employers' }
    expect(await app.db.query(clicks, { userSession: click.userSession })).toEqual([kept, kept])
  })

  test.for(['', 'x\0y', 'x\ud800', 'a b', 'x'.repeat(65)])(
    'is rejected with %j as its label',
    async (userSession, { visitors }) => {
      const click = { buttonName: 'book_demo', page: 'employers', userSession }
      expect(await visitors.post(saveClick.path, click)).toMatchObject({ status: 400, code: 'invalid_input' })
    },
  )

  test.for([
    { buttonName: 'book_demo', page: 'homepage' },
    { buttonName: 'tell_company', page: 'employers' },
    { buttonName: 'sign_in', page: 'homepage' },
    { buttonName: 'book_demo', page: 'teams' },
  ])('is rejected for the unknown pair $buttonName on $page', async (click, { app, visitors }) => {
    const userSession = `label${round}`
    expect(await visitors.post(saveClick.path, { ...click, userSession })).toMatchObject({
      status: 400,
      code: 'invalid_input',
    })
    expect(await app.db.query(clicks, { userSession })).toEqual([])
  })
})

describe('a form sent without script', () => {
  test.for([
    ['/coming-soon', 'coming_soon_page'],
    ['/waitlist', 'main_coming_soon'],
  ] as const)('on %s is stored and redirects to #saved', async ([path, source], { visitors }) => {
    expect(await visitors.submit(path, somebody)).toEqual([303, `${path}#saved`])
    expect(await visitors.leadsOf(somebody)).toMatchObject([{ source }])
  })

  test('with a purpose keeps it and returns to the page of that purpose', async ({ visitors }) => {
    expect(await visitors.submit('/coming-soon?for=demo', somebody)).toEqual([303, '/coming-soon?for=demo#saved'])
    expect(await visitors.leadsOf(somebody)).toMatchObject([{ purpose: 'demo' }])
    expect(await visitors.submit('/coming-soon?for=demo', 'ann')).toEqual([303, '/coming-soon?for=demo#not-saved'])
    for (const query of ['for=gift', 'for=demo&for=pilot', 'for=__proto__', 'for=//evil.example']) {
      expect(await visitors.submit(`/coming-soon?${query}`, `${query}.${somebody}`)).toEqual([
        303,
        '/coming-soon#saved',
      ])
    }
    expect(await visitors.submit('/waitlist?for=pilot', somebody)).toEqual([303, '/waitlist#saved'])
    expect((await visitors.leadsOf(somebody)).map(({ purpose }) => purpose)).toEqual(['demo', null])
  })

  test('without a valid address redirects to #not-saved', async ({ visitors }) => {
    expect(await visitors.submit('/coming-soon', 'ann')).toEqual([303, '/coming-soon#not-saved'])
    expect(await visitors.leadsOf('ann')).toEqual([])
  })

  test.for([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'none' }],
  ] as const)('from another site (%o) is refused (CSRF)', async ([headers], { visitors }) => {
    expect(await visitors.submit('/coming-soon', somebody, headers as Record<string, string>)).toEqual([
      303,
      '/coming-soon#not-now',
    ])
    expect(await visitors.leadsOf(somebody)).toEqual([])
  })

  test.for([[{ 'sec-fetch-site': 'same-origin', origin: 'null' }], [{ origin: 'http://localhost:3000' }]] as const)(
    'from our own page (%o) is stored',
    async ([headers], { visitors }) => {
      expect(await visitors.submit('/coming-soon', somebody, headers as Record<string, string>)).toEqual([
        303,
        '/coming-soon#saved',
      ])
      expect(await visitors.leadsOf(somebody)).toHaveLength(1)
    },
  )

  test('shares its rate limit with the API', async ({ visitors }) => {
    for (let n = 0; n < 50; n++) await visitors.submit('/waitlist', `n${n}.${somebody}`)
    for (let n = 50; n < 100; n++) await visitors.submit('/coming-soon', `n${n}.${somebody}`)
    expect(await visitors.submit('/waitlist', somebody)).toEqual([303, '/waitlist#not-now'])
    const call = await visitors.post(saveLead.path, { email: somebody, source: 'coming_soon_page' })
    expect(call).toMatchObject({ status: 429, code: 'too_many_attempts' })
    expect(await visitors.leadsOf(somebody)).toEqual([])
  })

  test('is accepted on its two pages only, small and form-encoded', async ({ visitors }) => {
    expect(await visitors.submit('/', somebody)).toEqual([404, 'not_found'])
    expect(await visitors.submit(saveLead.path, somebody)).toEqual([415, 'json_required'])
    expect(await visitors.submit('/coming-soon', 'x'.repeat(3000))).toEqual([303, '/coming-soon#not-now'])
    for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/json']) {
      expect(await visitors.submit('/waitlist', somebody, { 'content-type': type })).toEqual([303, '/waitlist#not-now'])
    }
    expect(await visitors.leadsOf(somebody)).toEqual([])
  })
})

test('without the database, a form redirects to itself and the API responds 503', async () => {
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
