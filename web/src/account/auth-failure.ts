import { isAuthRetryableFetchError } from '@supabase/auth-js'
import { showToast } from '../ui/toast.ts'

/** Says why an account call failed: in the server's words if it answered, else that something unexpected happened. */
export function showAuthFailure(title: string, error: Error): void {
  if (isAuthRetryableFetchError(error)) showUnexpected()
  else showToast({ title, description: error.message, tone: 'destructive' })
}

export function showUnexpected(): void {
  showToast({ title: 'Error', description: 'An unexpected error occurred.', tone: 'destructive' })
}
