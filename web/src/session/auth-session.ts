import * as texts from '@deeb/texts/home'
import type { AuthChangeEvent, GoTrueClient, Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { IS_NATIVE } from '../device/platform.ts'
import { reloadOnce } from '../device/reload-once.ts'
import { showLateToast } from '../ui/late-toast.ts'
import { isAuthApiError, isAuthRetryableFetchError } from './auth-errors.ts'
import { STORAGE_KEY, storedSession } from './stored-session.ts'
import { secureStorage, watchTokens } from './token-storage.ts'

/** The auth client is not needed for the first paint of a signed-in user. */
const LOAD_AFTER_MS = 2_000
const MAX_BACKOFF_MS = 60_000
/**
 * Receives the auth session that its user ends in another tab, which needs no explanation here. The auth client reports the end by a
 * channel too: in Firefox, a value in local storage would arrive after it.
 */
const signOuts = new BroadcastChannel('deeb.signed-out')

/** The text that a browser has stored at the start. The storage of a native app answers later. */
const storedText = IS_NATIVE ? null : window.localStorage.getItem(STORAGE_KEY)

const tokens = watchTokens(IS_NATIVE ? secureStorage() : window.localStorage, STORAGE_KEY, {
  text: storedText,
  onChange: () => setState(state),
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

let state: AuthSessionState = IS_NATIVE ? 'checking' : (storedSession() ?? (storedText === null ? null : 'checking'))
let offlineSession: OfflineSession | null = null
/** The auth session that its user has ended in another tab. */
let signedOutElsewhere: string | null = null
/** Called when this device is signed out, if its user asked for it. */
let onSignedOut: (() => void) | null = null
const listeners = new Set<(state: AuthSessionState) => void>()

let loading: Promise<GoTrueClient> | null = null
let isLoaded = false
let backoffMs = 1_000
let retry: ReturnType<typeof setTimeout> | undefined

signOuts.onmessage = ({ data }) => {
  signedOutElsewhere = data
}

/** The only auth client, loaded on the first call. Rejects if it cannot be loaded; a later call tries again. */
export function authClient(): Promise<GoTrueClient> {
  loading ??= import('./auth-client.ts').then(
    ({ createAuthClient }) => {
      const client = createAuthClient({ storage: tokens.storage, accessToken, hasTokens })
      isLoaded = true
      client.onAuthStateChange(follow)
      return client
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

function follow(event: AuthChangeEvent, session: Session | null): void {
  const hasExpired = event === 'INITIAL_SESSION' && hasTokens()
  // Another tab may have signed out before this one had loaded the client.
  const hasEnded = event === 'SIGNED_OUT' ? state !== null : !session && !hasExpired && isVerified(state)
  if (event === 'SIGNED_OUT' && onSignedOut) onSignedOut()
  else if (hasEnded) showSessionEnded()
  setState(session ?? (hasExpired ? (offlineSession ?? 'unreachable') : null))
}

/**
 * Loads the auth client, and retries with exponential backoff. Until then a token that needs no refresh is used as it is. Once the
 * server answers, the page is reloaded, because the browser caches the failure.
 */
export function loadAuthClient(): void {
  clearTimeout(retry)
  authClient().catch(async () => {
    if (state === 'checking') setState(offlineSession ?? 'unreachable')
    if ((await isServerThere()) && reloadOnce()) return
    retry = setTimeout(loadAuthClient, backoffMs)
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS)
  })
}

function isServerThere(): Promise<boolean> {
  return fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

if (state === 'checking') loadAuthClient()
else retry = setTimeout(loadAuthClient, LOAD_AFTER_MS)
window.addEventListener('online', () => isLoaded || loadAuthClient())
// The tokens may have changed: in another tab, or while this page was suspended.
window.addEventListener('pageshow', ({ persisted }) => persisted && loadAuthClient())
document.addEventListener('visibilitychange', () => document.hidden || loadAuthClient())
window.addEventListener('storage', ({ key }) => {
  if (key !== null && key !== STORAGE_KEY) return
  if (!isLoaded && isVerified(state) && localStorage.getItem(STORAGE_KEY) === null) {
    // Another tab has signed out. The client may take long, or fail, to load.
    showSessionEnded()
    setState(null)
  }
  loadAuthClient()
})
// A form is about to need it.
document.addEventListener('focusin', ({ target }) => target instanceof HTMLInputElement && loadAuthClient())

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

export function authSession(): AuthSessionState {
  return state
}

export function useAuthSession(): AuthSessionState {
  return useSyncExternalStore(onAuthSessionChange, () => state)
}

/** The step before any other screen: enter a code of the second factor, or add a second factor. */
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
  signOuts.postMessage(authSessionId() ?? '')
  const signedOutHere = new Promise<boolean>((resolve) => {
    onSignedOut = () => resolve(true)
  })
  const atServer = authClient()
    .then((client) => client.signOut({ scope: 'local' }))
    .then(
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

/** The auth session, refreshed if its token has expired; null when signed out or when the refresh fails. */
export async function currentSession(): Promise<Session | null> {
  if (!isLoaded && !IS_NATIVE) {
    const session = storedSession()
    if (session || localStorage.getItem(STORAGE_KEY) === null) return session
  }
  return (await (await authClient()).getSession()).data.session
}

/** The access token of `currentSession`. */
export async function accessToken(): Promise<string | null> {
  return (await currentSession())?.access_token ?? null
}

/**
 * Call it after the server refused an access token. Asks the account service whether the auth session has ended; then the auth
 * client signs this device out. Tokens of another server are removed. If another auth session has replaced the refused one,
 * as after an email link, nothing is checked. Resolves to whether the server accepts the current token.
 */
export async function checkAuthSession(refused: string | null): Promise<boolean> {
  const auth = await authClient()
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

/** Nothing failed: the user signed out in another tab, or the auth session was ended elsewhere. */
function showSessionEnded(): void {
  const isOwn = signedOutElsewhere === authSessionId()
  const description = isOwn ? undefined : texts.signInEnded()
  showLateToast({ title: texts.signedOut(), description, tone: isOwn ? 'success' : 'note' })
}

/** The id of the user where the tokens are unknown, as offline. */
function authSessionId(): string | undefined {
  return (isVerified(state) && claimsOf(state.access_token).session_id) || (signedInUserId() ?? undefined)
}
