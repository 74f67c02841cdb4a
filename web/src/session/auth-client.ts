import { AuthClient, type GoTrueClient } from '@supabase/auth-js'
import { LANGUAGE } from '../device/language.ts'
import { CLIENT_INFO, SERVER } from '../device/platform.ts'
import { STORAGE_KEY } from './stored-session.ts'
import type { TokenStorage } from './token-storage.ts'

const ACCOUNTS = `${SERVER}/auth/v1`
/** The endpoint to which the auth client sends the tokens of email links. */
const LINKS = `${ACCOUNTS}/verify`

/** Well below the minute in which a refresh is idempotent. */
const ACCOUNTS_TIMEOUT_MS = 15_000

interface AuthClientDeps {
  storage: TokenStorage
  /** The access token, refreshed if it has expired; null when signed out or when the refresh fails. */
  accessToken(): Promise<string | null>
  /** Whether tokens are stored, expired or not. */
  hasTokens(): boolean
}

/** Creates the auth client, which stores the tokens and refreshes them by itself. The only module that imports auth-js. */
export function createAuthClient({ storage, accessToken, hasTokens }: AuthClientDeps): GoTrueClient {
  /** Fetches from the account service. A response of anything else, such as a proxy's error page, counts as a 503. */
  async function authFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const headers = new Headers(init?.headers)
    // A native app keeps its choice without a cookie. The server writes emails in this language.
    headers.set('accept-language', LANGUAGE)
    if (input === LINKS) await addAccessToken(headers)
    const response = await fetch(input, { ...init, headers, signal: AbortSignal.timeout(ACCOUNTS_TIMEOUT_MS) })
    if (response.ok) return response
    return response.headers.has('x-supabase-api-version') ? inLanguage(response) : new Response(null, { status: 503 })
  }

  /**
   * Adds the access token, which the auth client leaves out for email links: the server refuses a link of another user while
   * somebody is signed in (session fixation). Throws if the token cannot be refreshed, since the user is unknown then.
   */
  async function addAccessToken(headers: Headers): Promise<void> {
    const token = await accessToken()
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    else if (hasTokens()) throw new Error('The access token could not be refreshed.')
  }

  return new AuthClient({
    url: ACCOUNTS,
    storageKey: STORAGE_KEY,
    storage: keepingUnstored(storage),
    autoRefreshToken: true,
    persistSession: true,
    flowType: 'pkce',
    // A link with tokens in it could sign its reader in as another user (session fixation).
    detectSessionInUrl: false,
    // Without these, its calls about recovery codes throw, and two tabs overwrite each other's code verifier.
    experimental: { recoveryCodes: true, appendPkceFlowIdToRedirects: true },
    headers: { 'X-Client-Info': CLIENT_INFO },
    fetch: authFetch,
  })
}

/** Keeps in memory what the storage refuses, because it is full or blocked: for this tab, until it is closed. */
function keepingUnstored(storage: TokenStorage): TokenStorage {
  const unstored = new Map<string, string>()
  return {
    getItem: (key) => unstored.get(key) ?? storage.getItem(key),
    async setItem(key, text) {
      try {
        await storage.setItem(key, text)
        unstored.delete(key)
      } catch {
        unstored.set(key, text)
        // A refresh token that was used must not be used again after a reload.
        localStorage.removeItem(key)
      }
    },
    removeItem(key) {
      unstored.delete(key)
      return storage.removeItem(key)
    },
  }
}

/** A refusal with the text of this page for it: the server's messages are English, and some are written for programs. */
async function inLanguage(response: Response): Promise<Response> {
  try {
    const body = (await response.clone().json()) as { code: string; message: string }
    const { authFailureText } = await import('./auth-failure-text.ts')
    const message = authFailureText(body.code, body.message)
    return Response.json({ ...body, message, msg: message }, response)
  } catch {
    return response
  }
}
