import { AuthClient, isAuthApiError, isAuthRetryableFetchError, type Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { CLIENT_INFO, IS_NATIVE, SERVER } from './platform.ts'
import { secureStorage, watchTokens } from './token-storage.ts'
import { showToast } from './ui/toast.ts'

const ACCOUNTS = `${SERVER}/auth/v1`
/** Where the auth client sends the links of mails. */
const LINKS = `${ACCOUNTS}/verify`

const STORAGE_KEY = 'deeb.auth.token'

const tokens = watchTokens(IS_NATIVE ? secureStorage() : window.localStorage, STORAGE_KEY, () => become(state))

/** The token of a session counts for an hour, and its renewal may be repeated for a minute: so long no answer is waited for. */
const ACCOUNTS_TIMEOUT_MS = 15_000

/** Asks the account service. What does not come from it, a proxy's error page for one, says nothing of anybody's session. */
async function askAccounts(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  if (input === LINKS) await sayWhoIsHere(headers)
  const response = await fetch(input, { ...init, headers, signal: AbortSignal.timeout(ACCOUNTS_TIMEOUT_MS) })
  return response.ok || response.headers.has('x-supabase-api-version') ? response : new Response(null, { status: 503 })
}

/**
 * With a link goes the access token, which the auth client leaves out: the server does not let a link of somebody else take
 * the session's place. Throws while it cannot be renewed, since nobody can say then who is here.
 */
async function sayWhoIsHere(headers: Headers): Promise<void> {
  const token = await accessToken()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  else if (hasTokens()) throw new Error('The access token could not be renewed.')
}

/** The one auth client: it keeps the tokens, in a native app in its secure storage, and refreshes them by itself. */
export const auth = new AuthClient({
  url: ACCOUNTS,
  storageKey: STORAGE_KEY,
  storage: tokens.storage,
  autoRefreshToken: true,
  persistSession: true,
  flowType: 'implicit',
  // Never take a session from a URL: a link could sign its reader in as somebody else.
  detectSessionInUrl: false,
  headers: { 'X-Client-Info': CLIENT_INFO },
  fetch: askAccounts,
})

/** Whose tokens are here, but have run out with nobody there to renew them, while their last reads can still be drawn. */
export interface KeptPerson {
  user: { id: string }
}

/**
 * `checking` until it is known; `unreachable` when there are tokens, but they have run out and nobody answers who could
 * renew them, nor is there anything to draw; null when signed out.
 */
export type AuthSessionState = Session | KeptPerson | 'checking' | 'unreachable' | null

let state: AuthSessionState = 'checking'
let keptPerson: KeptPerson | null = null
/** Called when this device is signed out, while that is what its person wants. */
let onLeft: (() => void) | null = null
const listeners = new Set<(state: AuthSessionState) => void>()

auth.onAuthStateChange((event, session) => {
  if (event === 'SIGNED_OUT') {
    if (onLeft) onLeft()
    else if (state !== null) showSessionEnded()
  }
  const isKept = event === 'INITIAL_SESSION' && tokens.owner() !== null
  become(session ?? (isKept ? (keptPerson ?? 'unreachable') : null))
})

function become(next: AuthSessionState): void {
  state = next
  for (const listener of listeners) listener(state)
}

/** Calls the listener whenever useAuthSession() or personHere() may say something else. */
export function onAuthSessionChange(listener: (state: AuthSessionState) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The id of the person whose tokens are here, which is known before anybody says that they still count. */
export function personHere(): string | null {
  if (state === null) return null
  return typeof state === 'object' ? state.user.id : tokens.owner()
}

/** Whether the tokens count: the server can be asked as this person. */
export function isServed(session: AuthSessionState): session is Session {
  return typeof session === 'object' && session !== null && 'access_token' in session
}

/** Lets the screens of a person be drawn from what they read last, until it is known whether the tokens still count. */
export function drawKept(userId: string): void {
  if (tokens.owner() !== userId) return
  keptPerson = { user: { id: userId } }
  if (state === 'checking' || state === 'unreachable') become(keptPerson)
}

export function useAuthSession(): AuthSessionState {
  return useSyncExternalStore(onAuthSessionChange, () => state)
}

/** The id of the person whose screens are drawn; null until it is known, and when signed out. */
export function usePersonId(): string | null {
  const session = useAuthSession()
  return session !== null && typeof session === 'object' ? session.user.id : null
}

/**
 * Ends the session of this device, also without a network; resolves to whether it is gone. The server is told too, but
 * nobody waits for its answer.
 */
export function signOut(): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    onLeft = () => resolve(true)
    auth.signOut({ scope: 'local' }).then(
      ({ error }) => resolve(error === null || state === null),
      () => resolve(state === null),
    )
  }).finally(() => {
    onLeft = null
  })
}

/** Known to be signed out, not merely unable to renew the token. */
export function isSignedOut(): boolean {
  return state === null
}

/** Whether tokens lie here, be it that they have run out. */
export function hasTokens(): boolean {
  return tokens.owner() !== null
}

/** The access token, renewed if it has run out; null when signed out, and when it has run out and nobody answers. */
export async function accessToken(): Promise<string | null> {
  return (await auth.getSession()).data.session?.access_token ?? null
}

/**
 * To be called when the server does not accept an access token. The account service says whether the session is really
 * gone; then the auth client signs this device out. Tokens that are not of this server at all are given up here. A session
 * that has been replaced meanwhile, by a link in a mail for one, is not asked about: it must not fall with the old one.
 * Resolves to whether there is a token now that the server accepts.
 */
export async function checkAuthSession(refused: string | null): Promise<boolean> {
  if ((await accessToken()) !== refused) return true
  if (refused === null && tokens.owner() === null && !IS_NATIVE) {
    // Cleared with all that this site keeps, or signed out while this page slept: nobody else says so.
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
