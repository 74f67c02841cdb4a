import { type LinkInfo, readLink } from '@deeb/core/account/api'
import { SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/links'
import { useSyncExternalStore } from 'react'
import { ApiError, api } from '../calls/api.ts'
import { isAuthApiError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'
import { keepInvite } from '../session/kept-invite.ts'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'

/** The token and the purpose of an email link. They are in the fragment, so that no log contains them. */
export interface EmailLink {
  token: string
  type: string
  /** The secret of the circle that the person agreed to join, or null. */
  circle: string | null
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

/** Reads the link from the address bar and removes it there. Null if there is none. Keeps the circle of its sign-up. */
function takeLink(): EmailLink | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const token = fragment.get('token_hash')
  if (!token) return null
  window.history.replaceState(window.history.state, '', window.location.pathname)
  const circle = fragment.get(SIGN_UP_DATA.join)
  if (circle) keepInvite(circle)
  return { token, type: fragment.get('type') ?? '', circle }
}

/** Opens a pasted address as if its link had been pressed. Returns false if it has no token. */
export function openPastedLink(address: string): boolean {
  const whole = decoded(address)
  const [fragment] = /token_hash=[^\s<>"]+/.exec(whole) ?? []
  if (!fragment) return false
  const page = [APP_PATHS.confirm, APP_PATHS.resetPassword].find((path) => whole.includes(path))
  window.location.assign(`${page ?? window.location.pathname}#${fragment}`)
  return true
}

/** A filter puts the address of a link, encoded, into its own. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** The email link that opened this page, or null. Follows a link that is opened later in the same tab. */
export function useEmailLink(): EmailLink | null {
  return useSyncExternalStore(subscribe, () => link)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reads the purpose of an email's link and the account that it belongs to. Does not consume it. */
export async function readLinkInfo(token: string): Promise<LinkInfo | 'dead link' | 'unreachable'> {
  try {
    return await api(readLink, { token })
  } catch (error) {
    return error instanceof ApiError && error.code === 'link_expired' ? 'dead link' : 'unreachable'
  }
}

/** `failed` was already shown in a toast. The screen shows the others where they belong. */
export type LinkOutcome = 'done' | 'dead link' | 'wrong password' | 'password needed' | 'failed'

/** The proof that some links need too: a password, or the secret of the browser that signed up. */
export interface LinkProof {
  password?: string
  browser?: string
}

/** Consumes the link of an email. The auth client passes the proof on, although its types do not include it. */
export async function spendLink(type: LinkInfo['kind'], tokenHash: string, proof?: LinkProof): Promise<LinkOutcome> {
  const link = { type, token_hash: tokenHash, ...proof }
  try {
    const { error } = await (await authClient()).verifyOtp(link)
    if (!error) return 'done'
    if (isAuthApiError(error) && error.code === 'otp_expired') return 'dead link'
    if (isAuthApiError(error) && error.code === 'invalid_credentials') return 'wrong password'
    if (isAuthApiError(error) && error.code === 'reauthentication_needed') return 'password needed'
    showAuthFailure(texts.confirmationFailed(), error)
  } catch {
    showUnexpected()
  }
  return 'failed'
}
