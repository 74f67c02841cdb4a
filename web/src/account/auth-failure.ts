import * as texts from '@deeb/texts/signIn'
import { isAuthRetryableFetchError } from '../auth-errors.ts'
import { showFailure } from '../ui/toast.ts'
import { authFailureText } from './auth-failure-text.ts'

/** Shows why an auth call failed: the text for the server's refusal, or that something unexpected happened if it did not answer. */
export function showAuthFailure(title: string, error: Error): void {
  if (isAuthRetryableFetchError(error)) showUnexpected()
  else showFailure(authFailureText(error), title)
}

export function showUnexpected(): void {
  showFailure(texts.unexpected())
}
