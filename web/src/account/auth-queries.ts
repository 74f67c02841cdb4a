import * as texts from '@deeb/texts/signIn'
import type { UserAttributes } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { IS_NATIVE, SERVER } from '../device/platform.ts'
import { authClient } from '../session/auth-session.ts'
import { showToast } from '../ui/toast.ts'
import { showAddressFailure } from './address-failure.ts'
import { passwordFault, showAuthFailure, showUnexpected } from './auth-failure.ts'

/** Requests the confirmation email again. The answer is the same for unknown addresses (no user enumeration). */
export function resendConfirmation(email: string): Promise<boolean> {
  return requestEmail(email, async () => (await authClient()).resend({ type: 'signup', email }))
}

/** Requests the email that resets a forgotten password. */
export function sendResetLink(email: string): Promise<boolean> {
  return requestEmail(email, async () => (await authClient()).resetPasswordForEmail(email))
}

async function requestEmail(email: string, ask: () => Promise<{ error: Error | null }>): Promise<boolean> {
  try {
    const { error } = await ask()
    if (!error) {
      showEmailSent(texts.checkEmail(), texts.linkSentIfAccount())
      return true
    }
    showAddressFailure(texts.emailNotSent(), error, email)
  } catch {
    showUnexpected()
  }
  return false
}

/** Shows that an email was sent. Adds a second toast if this server keeps its emails in an outbox folder. */
export function showEmailSent(title: string, description: string): void {
  showToast({ title, description, tone: 'success' })
  void usesOutboxFolder().then((isKept) => {
    if (isKept) showToast({ title: texts.serverSendsNoEmail(), description: texts.askForLink(), tone: 'success' })
  })
}

/** False also if the server does not answer: most servers send their email. */
async function usesOutboxFolder(): Promise<boolean> {
  return (await readSettings()).mailer === 'outbox'
}

export interface AuthSettings {
  mailer?: string
  password_min_length?: number
  disable_signup?: boolean
  passkeys_enabled?: boolean
  /** Whether accounts of some domain can sign in by their company. */
  sso_enabled?: boolean
  /** The only company of this server. */
  sso?: { name: string; domain: string; only: boolean } | null
  /** The URL schemes of the native apps. */
  app_scheme?: { android: string | null; ios: string | null } | null
}

let settings: Promise<AuthSettings> | undefined

/** The public settings of the account service; undefined until it has answered, and empty if it does not. */
export function useAuthSettings(): AuthSettings | undefined {
  const [read, setRead] = useState<AuthSettings>()
  useEffect(() => {
    let isGone = false
    void readSettings().then((settings) => {
      if (!isGone) setRead(settings)
    })
    return () => {
      isGone = true
    }
  }, [])
  return read
}

/**
 * Whether this server and this browser support passkeys; undefined until the server has answered. A native app has no WebAuthn: its
 * pages do not belong to the server's host.
 */
export function supportsPasskeys(settings: AuthSettings | undefined): boolean | undefined {
  if (IS_NATIVE || !('PublicKeyCredential' in window)) return false
  return settings && settings.passkeys_enabled === true
}

/** The public settings of the account service; empty if it does not answer. An answer is kept until the page is left. */
export async function readSettings(): Promise<AuthSettings> {
  settings ??= fetchSettings()
  try {
    return await settings
  } catch {
    settings = undefined
    return {}
  }
}

async function fetchSettings(): Promise<AuthSettings> {
  const response = await fetch(`${SERVER}/auth/v1/settings`, { signal: AbortSignal.timeout(5_000) })
  if (!response.ok) throw new Error(response.statusText)
  return (await response.json()) as AuthSettings
}

/** `failed` was already shown in a toast. The screen shows the others where they belong. */
type UpdateOutcome =
  | 'done'
  | 'wrong password'
  | 'password needed'
  | 'code needed'
  | 'proof needed'
  | 'failed'
  | { passwordFault: string }

/** Changes the password, or requests a change of the address. That is done when the link in the new mailbox is opened. */
export async function updateAccount(change: UserAttributes, failure: string): Promise<UpdateOutcome> {
  try {
    const { error } = await (await authClient()).updateUser(change)
    if (!error) return 'done'
    if (error.code === 'current_password_invalid') return 'wrong password'
    if (error.code === 'current_password_required') return 'password needed'
    if (error.code === 'insufficient_aal') return 'code needed'
    if (error.code === 'reauthentication_needed') return 'proof needed'
    showAuthFailure(failure, error)
    const fault = passwordFault(error)
    if (fault !== undefined) return { passwordFault: fault }
  } catch {
    showUnexpected()
  }
  return 'failed'
}

/** Whether both are the same. Shows a toast if not. */
export function passwordsMatch(password: string, again: string): boolean {
  if (password === again) return true
  showToast({ title: texts.passwordMismatch(), description: texts.passwordsDiffer(), tone: 'destructive' })
  return false
}
