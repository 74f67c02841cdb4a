import { ApiError } from '../api.ts'
import { showFailure } from '../ui/toast.ts'

export const INVALID_USERNAME = 'Use 1 to 40 visible characters.'

export function isInvalidUsername(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'invalid_input'
}

/** Says in a toast why a username was not saved; what is wrong with it stands at the field instead. */
export function showUsernameFailure(error: Error, otherwise: string): void {
  if (isInvalidUsername(error)) return
  if (error instanceof ApiError && error.code === 'username_taken') {
    showFailure('This username is already taken. Please choose another one.', 'Username taken')
  } else {
    showFailure(otherwise)
  }
}
