import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AuthClient } from '@supabase/auth-js'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { outboxFolder } from '../mail/mailer.ts'
import type { AuthApp } from './auth-app.ts'

/** The state that the tabs of one browser share: cookies and local storage. */
export interface TestBrowser {
  /** The `Cookie` header that the browser sends. */
  cookie: string
  /** Every `Set-Cookie` header that the browser received. */
  given: string[]
  /** The origin of the page: ours, or that of a native app. */
  origin: string
  storage: ReturnType<typeof memoryStorage>
}

export function createBrowser(): TestBrowser {
  return { cookie: '', given: [], origin: 'http://localhost:3000', storage: memoryStorage() }
}

/**
 * The auth library of the apps, as one device whose auth session stays in memory. Requests go to `app` from `remoteAddress`. With
 * `browser` the device is a tab of that browser on our origin, otherwise a native app.
 *
 * Like the apps, it sends its access token when it opens a link.
 */
export function createAuthClient(
  app: FastifyInstance,
  browser?: TestBrowser,
  remoteAddress = '127.0.0.1',
): InstanceType<typeof AuthClient> {
  const send = fetchFrom(app, remoteAddress, browser)
  const client = new AuthClient({
    url: 'http://localhost:3000/auth/v1',
    async fetch(input, init) {
      if (!String(input).endsWith('/auth/v1/verify')) return send(input, init)
      const headers = new Headers(init?.headers)
      const token = (await client.getSession()).data.session?.access_token
      if (token) headers.set('authorization', `Bearer ${token}`)
      return send(input, { ...init, headers })
    },
    storage: browser?.storage ?? memoryStorage(),
    storageKey: browser ? 'deeb.auth.token' : randomUUID(),
    persistSession: true,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    flowType: 'pkce',
    experimental: { recoveryCodes: true, appendPkceFlowIdToRedirects: true },
  })
  return client
}

/** The argument of verifyOtp() on /app/confirm. The library forwards members that its type does not declare. */
export function confirmation(tokenHash: string, password: string, type: 'signup' | 'email_change' = 'signup') {
  return { type, token_hash: tokenHash, password }
}

/** The newest email to an address as the text of its file, or null. Waits until the outbox is idle. */
export async function newestMail(
  { config, mailer }: Pick<AuthApp, 'config' | 'mailer'>,
  address: string,
): Promise<string | null> {
  return (await mailsTo({ config, mailer }, address)).at(-1) ?? null
}

/** All emails to an address, oldest first. */
export async function mailsTo({ config, mailer }: Pick<AuthApp, 'config' | 'mailer'>, address: string) {
  await mailer.idle()
  const folder = outboxFolder(config)
  const names = (await readdir(folder).catch(() => [])).sort()
  const emails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return emails.filter((email) => email.includes(`\r\nTo: ${address}\r\n`))
}

/** The token of the link in the newest email to an address. Throws if there is no link of that type. */
export async function newestLinkToken(
  authApp: Pick<AuthApp, 'config' | 'mailer'>,
  address: string,
  type = 'signup',
): Promise<string> {
  const [, token] =
    new RegExp(`#token_hash=([\\w-]{43})&type=${type}`).exec((await newestMail(authApp, address)) ?? '') ?? []
  if (!token) throw new Error(`There is no link for ${address}.`)
  return token
}

function fetchFrom(app: FastifyInstance, remoteAddress: string, browser?: TestBrowser): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const request: InjectOptions = {
      method: (init.method ?? 'GET') as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      remoteAddress,
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...(browser && pageHeaders(browser, init.method)) },
    }
    if (typeof init.body === 'string') request.payload = init.body
    const answer = await app.inject(request)
    if (browser) keepCookies(browser, answer.headers['set-cookie'])
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value))
    return new Response(answer.statusCode === 204 ? null : answer.body, { status: answer.statusCode, headers })
  }
}

/** Browsers send `Origin` with requests that can change data, but not with a same-origin GET. */
function pageHeaders({ cookie, origin }: TestBrowser, method = 'GET'): Record<string, string> {
  return { ...(cookie && { cookie }), ...(method !== 'GET' && { origin }) }
}

function keepCookies(browser: TestBrowser, given: string | string[] | undefined): void {
  for (const cookie of [given ?? []].flat()) {
    browser.given.push(cookie)
    const pair = cookie.slice(0, cookie.indexOf(';'))
    const others = browser.cookie.split('; ').filter((held) => held && held.split('=')[0] !== pair.split('=')[0])
    browser.cookie = [...others, pair].join('; ')
  }
}

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    values: () => [...items.values()],
  }
}
