import { isAuthRetryableFetchError } from '@supabase/auth-js'
import { showFailure } from '../ui/toast.ts'

/** Says why an account call failed: in the server's words if it answered, else that something unexpected happened. */
export function showAuthFailure(title: string, error: Error): void {
  if (isAuthRetryableFetchError(error)) showUnexpected()
  else showFailure(error.message, title)
}

export function showUnexpected(): void {
  showFailure('An unexpected error occurred.')
}
