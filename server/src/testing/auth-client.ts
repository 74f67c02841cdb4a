import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AuthClient } from '@supabase/auth-js'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { outboxFolder } from '../mail/mailer.ts'
import type { AuthApp } from './auth-app.ts'

/** What the tabs of one browser share: cookies and local storage. */
export interface TestBrowser {
  /** What the browser would send as `Cookie` to our own pages' server. */
  cookie: string
  /** Every `Set-Cookie` it was given. */
  given: string[]
  storage: ReturnType<typeof memoryStorage>
}

export function createBrowser(): TestBrowser {
  return { cookie: '', given: [], storage: memoryStorage() }
}

/**
 * The library that the apps use, as one device: its requests go to `app`, its session stays in memory. With a browser it
 * is a tab there, on a page of ours; without one it is a native app. With a link it sends its access token, as the apps do.
 * Calls from `remoteAddress`.
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
  })
  return client
}

/** What verifyOtp() is given on /app/confirm. The library passes on members that its type does not name. */
export function confirmation(tokenHash: string, password: string, type: 'signup' | 'email_change' = 'signup') {
  return { type, token_hash: tokenHash, password }
}

/** The newest mail to an address as the bytes of its file, or null. Waits until nothing is being sent. */
export async function newestMail(
  { config, mailer }: Pick<AuthApp, 'config' | 'mailer'>,
  address: string,
): Promise<string | null> {
  return (await mailsTo({ config, mailer }, address)).at(-1) ?? null
}

/** All mails to an address, oldest first. */
export async function mailsTo({ config, mailer }: Pick<AuthApp, 'config' | 'mailer'>, address: string) {
  await mailer.idle()
  const folder = outboxFolder(config)
  const names = (await readdir(folder).catch(() => [])).sort()
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return mails.filter((mail) => mail.includes(`\r\nTo: ${address}\r\n`))
}

/** The token of the link in the newest mail to an address. Throws if there is none of that type. */
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

/** Browsers name the origin of a page with what may change something, and leave it out of a plain GET. */
function pageHeaders({ cookie }: TestBrowser, method = 'GET'): Record<string, string> {
  return { ...(cookie && { cookie }), ...(method !== 'GET' && { origin: 'http://localhost:3000' }) }
}

function keepCookies(browser: TestBrowser, given: string | string[] | undefined): void {
  for (const cookie of [given ?? []].flat()) {
    browser.given.push(cookie)
    browser.cookie = cookie.slice(0, cookie.indexOf(';'))
  }
}

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}
