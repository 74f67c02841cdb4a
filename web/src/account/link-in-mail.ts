import { useSyncExternalStore } from 'react'

/** What a mail's link says in its fragment, so that it reaches no log: the token, and what it is for. */
export interface LinkInMail {
  token: string
  type: string
}

const listeners = new Set<() => void>()

/*
 * In memory only. In the address or in the state of the history entry, the next person at this computer could find it: both
 * come back with a closed tab. A reload loses it, and the mail still has it.
 */
let link = takeLink()
window.addEventListener('hashchange', () => {
  const next = takeLink()
  if (!next) return
  link = next
  for (const listener of listeners) listener()
})

/** Takes the link out of the address bar. Null if there is none in it. */
function takeLink(): LinkInMail | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const token = fragment.get('token_hash')
  if (!token) return null
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return { token, type: fragment.get('type') ?? '' }
}

/** The link that led here, or null; another one when it is opened in the same tab. */
export function useLinkInMail(): LinkInMail | null {
  return useSyncExternalStore(subscribe, () => link)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
