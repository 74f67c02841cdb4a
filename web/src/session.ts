import { AuthClient, type Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { CLIENT_INFO } from './platform.ts'

/** The one auth client: it keeps the tokens in local storage and refreshes them by itself. */
export const auth = new AuthClient({
  url: '/auth/v1',
  storageKey: 'deeb.auth.token',
  storage: window.localStorage,
  autoRefreshToken: true,
  persistSession: true,
  flowType: 'implicit',
  // Never take a session from a URL: a link could sign its reader in as somebody else.
  detectSessionInUrl: false,
  headers: { 'X-Client-Info': CLIENT_INFO },
})

/** Undefined while the session is being checked, null when signed out. */
let session: Session | null | undefined
const listeners = new Set<() => void>()

auth.onAuthStateChange((_event, changed) => {
  session = changed
  for (const listener of listeners) listener()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session | null | undefined {
  return useSyncExternalStore(subscribe, () => session)
}
