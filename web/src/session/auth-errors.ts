import type { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js'

/*
 * Tells errors of the auth client apart by their name: its own functions would bring the client to every screen that shows an error.
 */

/** An answer of the account service that is a refusal. */
export function isAuthApiError(error: unknown): error is AuthApiError {
  return error instanceof Error && error.name === 'AuthApiError'
}

/** No answer, or one that a retry may change. */
export function isAuthRetryableFetchError(error: unknown): error is AuthRetryableFetchError {
  return error instanceof Error && error.name === 'AuthRetryableFetchError'
}
