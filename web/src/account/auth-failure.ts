import * as texts from '@deeb/texts/signIn'
import { isAuthRetryableFetchError } from '../session/auth-errors.ts'
import { showFailure } from '../ui/toast.ts'

/** Shows why an auth call failed: the server's message, or that something unexpected happened if it did not answer. */
export function showAuthFailure(title: string, error: Error): void {
  if (isAuthRetryableFetchError(error)) showUnexpected()
  else showFailure(error.name === 'AuthSessionMissingError' ? texts.sessionMissing() : error.message, title)
}

export function showUnexpected(): void {
  showFailure(texts.unexpected())
}
