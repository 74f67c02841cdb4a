import * as texts from '@deeb/texts/settings'
import { ApiError } from '../calls/api.ts'
import { showFailure } from '../ui/toast.ts'

export function isInvalidUsername(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'invalid_input'
}

/** Shows a toast for a username that was not saved. An invalid one is shown at its field instead. */
export function showUsernameFailure(error: Error, otherwise: string): void {
  if (isInvalidUsername(error)) return
  if (error instanceof ApiError && error.code === 'username_taken') {
    showFailure(texts.chooseOtherUsername(), texts.usernameTaken())
  } else {
    showFailure(otherwise)
  }
}
