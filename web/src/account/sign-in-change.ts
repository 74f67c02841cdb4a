import { showAuthFailure, showUnexpected } from './auth-failure.ts'

/** The data of a call that changes how the user signs in. `failed` was already shown in a toast. */
export type Change<Data> = { data: Data } | 'proof needed' | 'failed'

/** Calls the account service for a change of how the user signs in. Shows a failure with `title`, by `show` if given. */
export async function changeSignIn<Data>(
  title: string,
  ask: () => Promise<{ data: Data | null; error: (Error & { code?: unknown }) | null }>,
  show: (title: string, error: Error) => void = showAuthFailure,
): Promise<Change<Data>> {
  try {
    const { data, error } = await ask()
    if (!error) return { data: data as Data }
    if (error.code === 'reauthentication_needed') return 'proof needed'
    show(title, error)
  } catch {
    showUnexpected()
  }
  return 'failed'
}
