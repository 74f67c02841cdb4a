import { AuthClient, isAuthApiError, isAuthRetryableFetchError, type Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { CLIENT_INFO, IS_NATIVE, SERVER } from './platform.ts'
import { secureStorage, watchTokens } from './token-storage.ts'
import { showToast } from './ui/toast.ts'

const ACCOUNTS = `${SERVER}/auth/v1`
/** The endpoint to which the auth client sends the tokens of email links. */
const LINKS = `${ACCOUNTS}/verify`

const STORAGE_KEY = 'deeb.auth.token'

const tokens = watchTokens(IS_NATIVE ? secureStorage() : window.localStorage, STORAGE_KEY, () => setState(state))

/** Well below the minute in which a refresh is idempotent. */
const ACCOUNTS_TIMEOUT_MS = 15_000

/** Fetches from the account service. A response of anything else, such as a proxy's error page, counts as a 503. */
async function authFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  if (input === LINKS) await addAccessToken(headers)
  const response = await fetch(input, { ...init, headers, signal: AbortSignal.timeout(ACCOUNTS_TIMEOUT_MS) })
  return response.ok || response.headers.has('x-supabase-api-version') ? response : new Response(null, { status: 503 })
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

/** The only auth client. It stores the tokens and refreshes them by itself. */
export const auth = new AuthClient({
  url: ACCOUNTS,
  storageKey: STORAGE_KEY,
  storage: tokens.storage,
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

/** Offline with expired tokens: the user is known and cached data may be shown. */
export interface OfflineSession {
  user: { id: string }
}

/**
 * `checking` until it is known. `unreachable` with expired tokens, no answer to a refresh and no cached data. Null when signed
 * out.
 */
export type AuthSessionState = Session | OfflineSession | 'checking' | 'unreachable' | null

let state: AuthSessionState = 'checking'
let offlineSession: OfflineSession | null = null
/** Called when this device is signed out, if its user asked for it. */
let onSignedOut: (() => void) | null = null
const listeners = new Set<(state: AuthSessionState) => void>()

auth.onAuthStateChange((event, session) => {
  if (event === 'SIGNED_OUT') {
    if (onSignedOut) onSignedOut()
    else if (state !== null) showSessionEnded()
  }
  const hasExpired = event === 'INITIAL_SESSION' && hasTokens()
  setState(session ?? (hasExpired ? (offlineSession ?? 'unreachable') : null))
})

function setState(next: AuthSessionState): void {
  state = next
  for (const listener of listeners) listener(state)
}

/** Calls the listener after each change of useAuthSession() or signedInUserId(). */
export function onAuthSessionChange(listener: (state: AuthSessionState) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The id of the user whose tokens are stored, valid or not; null when signed out. */
export function signedInUserId(): string | null {
  if (state === null) return null
  return typeof state === 'object' ? state.user.id : tokens.userId()
}

/** Whether the tokens are valid, so that the server can be called as this user. */
export function isVerified(session: AuthSessionState): session is Session {
  return typeof session === 'object' && session !== null && 'access_token' in session
}

/** Lets screens show a user's cached data until it is known whether the tokens are still valid. */
export function showOffline(userId: string): void {
  if (tokens.userId() !== userId) return
  offlineSession = { user: { id: userId } }
  if (state === 'checking' || state === 'unreachable') setState(offlineSession)
}

export function useAuthSession(): AuthSessionState {
  return useSyncExternalStore(onAuthSessionChange, () => state)
}

/** What has to be done before any other screen: enter a code of the second factor, or add a second factor. */
type Gate = 'code' | 'factor' | null

/** The auth session, or the user, for which the server last asked for it. */
let refusal: { id: string | undefined; gate: Gate } | null = null

/** Call it after the server refused an access token for want of a second factor: a screen that asks for it replaces all others. */
export function closeGate(gate: Gate, token: string): void {
  const { session_id, sub } = claimsOf(token)
  // A new factor opens a new auth session, before its user has seen the recovery codes.
  refusal = { id: gate === 'factor' ? sub : session_id, gate }
  setState(state)
}

/** Call it when a second factor was added. */
export function openGate(): void {
  refusal = null
  setState(state)
}

export function useGate(): Gate {
  return useSyncExternalStore(onAuthSessionChange, gateOf)
}

function gateOf(): Gate {
  if (!isVerified(state)) return null
  const { aal, session_id, sub } = claimsOf(state.access_token)
  if (refusal?.id !== undefined && [session_id, sub].includes(refusal.id)) return refusal.gate
  const hasFactor = state.user.factors?.some(({ status }) => status === 'verified')
  return aal === 'aal1' && hasFactor ? 'code' : null
}

/** The claims of an access token that this page needs. Not verified: the server does that. */
function claimsOf(token: string): { aal?: string; session_id?: string; sub?: string } {
  try {
    return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return {}
  }
}

/** The id of the user whose screens are shown; null until it is known and when signed out. */
export function useSignedInUserId(): string | null {
  const session = useAuthSession()
  return session !== null && typeof session === 'object' ? session.user.id : null
}

/**
 * Ends the auth session of this device, also offline, and notifies the server without waiting for its response. `hasEnded`: whether
 * it has ended here. `atServer` resolves to whether it has ended at the server too.
 */
export async function signOut(): Promise<{ hasEnded: boolean; atServer: Promise<boolean> }> {
  const signedOutHere = new Promise<boolean>((resolve) => {
    onSignedOut = () => resolve(true)
  })
  const atServer = auth.signOut({ scope: 'local' }).then(
    ({ error }) => error === null,
    () => false,
  )
  const hasEnded = await Promise.race([signedOutHere, atServer.then((isDone) => isDone || state === null)])
  onSignedOut = null
  return { hasEnded, atServer }
}

/** Whether the user is known to be signed out, not merely unable to refresh the token. */
export function isSignedOut(): boolean {
  return state === null
}

/** Whether tokens are stored, expired or not. */
export function hasTokens(): boolean {
  return tokens.userId() !== null
}

/** The access token, refreshed if it has expired; null when signed out or when the refresh fails. */
export async function accessToken(): Promise<string | null> {
  return (await auth.getSession()).data.session?.access_token ?? null
}

/**
 * Call it after the server refused an access token. Asks the account service whether the auth session has ended; then the auth
 * client signs this device out. Tokens of another server are removed. If another auth session has replaced the refused one,
 * as after an email link, nothing is checked. Resolves to whether the server accepts the current token.
 */
export async function checkAuthSession(refused: string | null): Promise<boolean> {
  if ((await accessToken()) !== refused) return true
  if (refused === null && !hasTokens() && !IS_NATIVE) {
    // The site's storage was cleared, or another tab signed out while this page was suspended. No event reports that.
    await auth.signOut({ scope: 'local' })
    return false
  }
  const { error } = await auth.getUser()
  if (!isAuthApiError(error) || error.code !== 'bad_jwt') return error === null
  const { error: dead } = await auth.refreshSession()
  if (dead && !isAuthRetryableFetchError(dead)) await auth.signOut({ scope: 'local' })
  return dead === null
}

function showSessionEnded(): void {
  const description = 'Your session has ended. Please sign in again.'
  showToast({ title: 'Signed out', description, tone: 'destructive' })
}
