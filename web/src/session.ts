import { AuthClient, isAuthApiError, isAuthRetryableFetchError, type Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { CLIENT_INFO } from './platform.ts'
import { showToast } from './ui/toast.ts'

const STORAGE_KEY = 'deeb.auth.token'

/** The one auth client: it keeps the tokens in local storage and refreshes them by itself. */
export const auth = new AuthClient({
  url: '/auth/v1',
  storageKey: STORAGE_KEY,
  storage: window.localStorage,
  autoRefreshToken: true,
  persistSession: true,
  flowType: 'implicit',
  // Never take a session from a URL: a link could sign its reader in as somebody else.
  detectSessionInUrl: false,
  headers: { 'X-Client-Info': CLIENT_INFO },
})

/**
 * `checking` until it is known; `unreachable` when there are tokens, but they have run out and nobody answers who could
 * renew them; null when signed out.
 */
export type SessionState = Session | 'checking' | 'unreachable' | null

let state: SessionState = 'checking'
/** Called when this device is signed out, while that is what its person wants. */
let onLeft: (() => void) | null = null
const listeners = new Set<() => void>()

auth.onAuthStateChange((event, session) => {
  if (event === 'SIGNED_OUT') {
    if (onLeft) onLeft()
    else if (state !== null) showSessionEnded()
  }
  const isKept = event === 'INITIAL_SESSION' && localStorage.getItem(STORAGE_KEY) !== null
  become(session ?? (isKept ? 'unreachable' : null))
})

function become(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Tries to renew kept tokens. What comes of it shows in useSession(). */
export async function retrySession(): Promise<void> {
  become('checking')
  const { data, error } = await auth.refreshSession()
  if (data.session === null && isAuthRetryableFetchError(error)) become('unreachable')
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
export async function checkSession(refused: string | null): Promise<boolean> {
  if ((await accessToken()) !== refused) return true
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
