import { useSyncExternalStore } from 'react'

/** The token and the purpose of an email link. They are in the fragment, so that no log contains them. */
export interface EmailLink {
  token: string
  type: string
}

const listeners = new Set<() => void>()

/*
 * In memory only: the next user of this computer can reopen a closed tab with its address and history state. After a reload
 * the link has to be opened again from the email.
 */
let link = takeLink()
window.addEventListener('hashchange', () => {
  const next = takeLink()
  if (!next) return
  link = next
  for (const listener of listeners) listener()
})

/** Reads the link from the address bar and removes it there. Null if there is none. */
function takeLink(): EmailLink | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const token = fragment.get('token_hash')
  if (!token) return null
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return { token, type: fragment.get('type') ?? '' }
}

/** The email link that opened this page, or null. Follows a link that is opened later in the same tab. */
export function useEmailLink(): EmailLink | null {
  return useSyncExternalStore(subscribe, () => link)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
