import { useSyncExternalStore } from 'react'

/** What a mail's link says in its fragment, so that it reaches no log: the token, and what it is for. */
export interface LinkInMail {
  tokenHash: string
  type: string
}

/** The link that led here, or null; another one when it is opened in the same tab. */
export function useLinkInMail(): LinkInMail | null {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  const fragment = new URLSearchParams(hash.slice(1))
  const tokenHash = fragment.get('token_hash')
  return tokenHash ? { tokenHash, type: fragment.get('type') ?? '' } : null
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}
