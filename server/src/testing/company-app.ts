import { randomUUID } from 'node:crypto'
import { insertCompany, setDomains } from '../auth/company/configure.ts'
import { type AuthApp, openAuthApp } from './auth-app.ts'
import { createAuthClient, createBrowser, newestMail, type TestBrowser } from './auth-client.ts'
import { CLIENT, type Employee, type IdentityProvider, startIdentityProvider } from './identity-provider.ts'

const ORIGIN = 'http://localhost:3000'
export const KEY = 'fjordlab.example'

type Client = ReturnType<typeof createAuthClient>

/** A browser in which somebody signs in by their company: one tab of our page. */
export interface Tab {
  browser: TestBrowser
  client: Client
}

/** The parameters that the page /app/sso reads from its address. */
export interface Returned {
  code: string | null
  flowId: string | null
  app: string | null
  errorCode: string | null
}

/** The status and code of an error of auth-js; null without one. */
export function refusalOf({ error }: { error: unknown }): [number | undefined, string | undefined] | null {
  const { status, code } = (error ?? {}) as { status?: number; code?: string }
  return error ? [status, code] : null
}

/** The six digits of the newest email to an address. */
export async function digitsOf(sso: AuthApp, email: string): Promise<string> {
  const [digits] = /(?<=\r\n)\d{6}(?=\r\n)/.exec((await newestMail(sso, email)) ?? '') ?? []
  if (!digits) throw new Error(`There is no code for ${email}.`)
  return digits
}

/** The PKCE verifier that auth-js stored in a tab. */
export function verifierOf({ browser }: Tab): string {
  const verifier = browser.storage.values().find((value) => /^"[\w.~-]{43,128}"$/.test(value))
  if (verifier === undefined) throw new Error('There is no verifier.')
  return JSON.parse(verifier)
}

/** The auth service with a company whose identity provider is real. */
export interface CompanyApp extends AuthApp {
  provider: IdentityProvider
  providerId: string
  /** Makes a person of the company with a verified address. */
  employ(local?: string, claims?: Record<string, unknown>): Employee & { email: string }
  newTab(): Tab
  begin(tab: Tab, options?: { domain?: string; redirectTo?: string }): ReturnType<Client['signInWithSSO']>
  /** Opens the callback in a browser. */
  comeBack(url: URL | string, tab: Tab | null): Promise<Returned>
  /** The whole way to the code of the page /app/sso. */
  reach(employee: Employee, tab: Tab, redirectTo?: string): Promise<Returned>
  exchange(tab: Tab, returned: Returned): ReturnType<Client['exchangeCodeForSession']>
  enterCode(tab: Tab, returned: Returned, digits: string): ReturnType<Client['verifyOtp']>
  signIn(employee: Employee, tab?: Tab, redirectTo?: string): ReturnType<Client['exchangeCodeForSession']>
}

interface CompanyOptions {
  env?: NodeJS.ProcessEnv
  hasRefreshTokens?: boolean
}

/** Starts the service and the provider of fjordlab.example. */
export async function openCompanyApp({ env = {}, hasRefreshTokens = true }: CompanyOptions = {}): Promise<CompanyApp> {
  const authApp = await openAuthApp(env)
  const { app, auth } = authApp
  const provider = await startIdentityProvider({
    callbacks: [`${ORIGIN}/auth/v1/callback/${KEY}`],
    hasRefreshTokens,
    deliver: async (url, { body }) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await app.inject({ method: 'POST', url: new URL(url).pathname, payload: String(body), headers })
      return new Response(answer.body || null, { status: answer.statusCode })
    },
  })
  const company = {
    key: KEY,
    name: 'Fjordlab',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
  }
  const now = auth.now()
  const providerId = await insertCompany(
    auth.db,
    auth.keys,
    { ...company, trustsEmail: false, isFromSettings: false },
    now,
  )
  await setDomains(auth.db, providerId, [KEY], now)

  const sso: CompanyApp = {
    ...authApp,
    provider,
    providerId,
    employ: (local = `p-${randomUUID()}`, claims = {}) => ({
      sub: randomUUID(),
      email: `${local}@${KEY}`,
      email_verified: true,
      ...claims,
    }),
    newTab() {
      const browser = createBrowser()
      return { browser, client: createAuthClient(app, browser) }
    },
    begin: ({ client }, { domain = KEY, redirectTo = `${ORIGIN}/app/sso` } = {}) =>
      client.signInWithSSO({ domain, options: { redirectTo, skipBrowserRedirect: true } }),
    async comeBack(url, tab) {
      const { pathname, search } = new URL(url)
      const headers = tab?.browser.cookie ? { cookie: tab.browser.cookie } : {}
      const answer = await app.inject({ url: pathname + search, headers })
      const [page, fragment] = String(answer.headers.location).split('#')
      if (answer.statusCode !== 303 || page !== `${ORIGIN}/app/sso`)
        throw new Error(`It answered ${answer.statusCode}.`)
      const query = new URLSearchParams(fragment)
      return {
        code: query.get('code'),
        flowId: query.get('sb_flow_id'),
        app: query.get('app'),
        errorCode: query.get('error_code'),
      }
    },
    async reach(employee, tab, redirectTo) {
      const { data, error } = await sso.begin(tab, redirectTo ? { redirectTo } : {})
      if (error) throw error
      return sso.comeBack(await provider.visit(data.url, employee), tab)
    },
    exchange: ({ client }, { code, flowId }) =>
      client.exchangeCodeForSession(code ?? '', flowId === null ? {} : { flowId }),
    // The library forwards members that its type does not declare.
    enterCode: ({ client }, { code }, digits) =>
      client.verifyOtp({ type: 'magiclink', token_hash: code ?? '', token: digits } as never),
    async signIn(employee, tab = sso.newTab(), redirectTo) {
      return sso.exchange(tab, await sso.reach(employee, tab, redirectTo))
    },
    async close() {
      await provider.close()
      await authApp.close()
    },
  }
  return sso
}
