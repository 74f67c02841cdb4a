import { SIGN_UP_DATA } from '@deeb/core/invitations/invitation'

/** In memory only: the next user of this computer can reopen a closed tab with its address. */
let token = takeToken()

/** Reads the token of the link to the first account from the address bar, and removes it there. */
function takeToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get(SIGN_UP_DATA.first)
  if (token !== null) window.history.replaceState(window.history.state, '', window.location.pathname)
  return token
}

/** The token of the link to the first account of the server that opened this page; null if another one did. */
export function firstAccountToken(): string | null {
  return token
}

export function forgetFirstAccountToken(): void {
  token = null
}
