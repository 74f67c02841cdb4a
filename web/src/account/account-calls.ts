import type { LinkInfo } from '@deeb/core/account/api'
import { isAuthApiError } from '@supabase/auth-js'
import { auth } from '../auth-session.ts'
import { SERVER } from '../platform.ts'
import { showToast, withdrawFailures } from '../ui/toast.ts'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'

/** `failed` has been said in a toast already; the others are for the screen to say in their place. */
export type LinkOutcome = 'done' | 'dead link' | 'wrong password' | 'password needed' | 'failed'

/**
 * Spends a link of a mail. Some need a password: the service asks for it beside the token, and the client, which has no type
 * for it, passes it on.
 */
export async function spendLink(type: LinkInfo['kind'], tokenHash: string, password?: string): Promise<LinkOutcome> {
  const link = { type, token_hash: tokenHash, ...(password === undefined ? {} : { password }) }
  try {
    const { error } = await auth.verifyOtp(link)
    if (!error) return 'done'
    if (isAuthApiError(error) && error.code === 'otp_expired') return 'dead link'
    if (isAuthApiError(error) && error.code === 'invalid_credentials') return 'wrong password'
    if (isAuthApiError(error) && error.code === 'reauthentication_needed') return 'password needed'
    showAuthFailure('Confirmation Failed', error)
  } catch {
    showUnexpected()
  }
  return 'failed'
}

/** Asks for the confirmation mail once more. The answer does not tell whether anybody waits for it. */
export function resendConfirmation(email: string): Promise<boolean> {
  return askForMail(() => auth.resend({ type: 'signup', email }))
}

/** Asks for the mail with which a forgotten password is replaced. */
export function sendResetLink(email: string): Promise<boolean> {
  return askForMail(() => auth.resetPasswordForEmail(email))
}

async function askForMail(ask: () => Promise<{ error: Error | null }>): Promise<boolean> {
  withdrawFailures()
  try {
    const { error } = await ask()
    if (!error) {
      showMailSent('Check your email', 'If the address is known here, a link is on its way.')
      return true
    }
    showAuthFailure('Email not sent', error)
  } catch {
    showUnexpected()
  }
  return false
}

/** Says that there is a mail to look for; below it, where the server that others reach sends none, who has it. */
export function showMailSent(title: string, description: string): void {
  showToast({ title, description, tone: 'success' })
  void isMailKept().then((isKept) => {
    const note = 'Ask whoever runs this server for the link.'
    if (isKept) showToast({ title: 'No mail is sent from here', description: note, tone: 'success' })
  })
}

/** False also where nobody answers: most servers send their mail. */
async function isMailKept(): Promise<boolean> {
  try {
    const response = await fetch(`${SERVER}/auth/v1/settings`, { signal: AbortSignal.timeout(5_000) })
    return ((await response.json()) as { mailer?: string }).mailer === 'outbox'
  } catch {
    return false
  }
}

/** `failed` has been said in a toast already; the others are for the screen to say in their place. */
export type UpdateOutcome = 'done' | 'wrong password' | 'password needed' | 'failed'

/** Gives the account a new password or address, the latter once its link is opened. */
export async function updateAccount(
  change: Parameters<typeof auth.updateUser>[0],
  failure: string,
): Promise<UpdateOutcome> {
  try {
    const { error } = await auth.updateUser(change)
    if (!error) return 'done'
    if (error.code === 'current_password_invalid') return 'wrong password'
    if (error.code === 'current_password_required') return 'password needed'
    showAuthFailure(failure, error)
  } catch {
    showUnexpected()
  }
  return 'failed'
}

/** Whether the two are the same. Says so if not. */
export function passwordsMatch(password: string, again: string): boolean {
  if (password === again) return true
  showToast({ title: 'Password Mismatch', description: 'Passwords do not match.', tone: 'destructive' })
  return false
}
