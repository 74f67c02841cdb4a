import * as texts from '@deeb/texts/signIn'
import { isAuthRetryableFetchError } from '../session/auth-errors.ts'
import { showFailure, showToast } from '../ui/toast.ts'

/** Shows why an auth call failed: the server's message, or that something unexpected happened if it did not answer. */
export function showAuthFailure(title: string, error: Error): void {
  const fault = passwordFault(error)
  if (fault !== undefined) showToast({ title, description: fault, tone: 'destructive', isAtField: true })
  else if (isAuthRetryableFetchError(error)) showUnexpected()
  else showFailure(error.name === 'AuthSessionMissingError' ? texts.sessionMissing() : error.message, title)
}

/** The fault of a new password, for its field; undefined if the call failed for another reason. */
export function passwordFault(error: Error & { code?: unknown }): string | undefined {
  return error.code === 'weak_password' || error.code === 'same_password' ? error.message : undefined
}

export function showUnexpected(): void {
  showFailure(texts.unexpected())
}
