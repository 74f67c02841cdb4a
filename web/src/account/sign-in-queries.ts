import { readAuthSessions, readSignIn } from '@deeb/core/account/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { kept } from '../calls/kept.ts'
import { isAuthApiError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'

export const SIGN_IN_KEY = [readSignIn.path]

/** How the user can sign in. */
export function useSignInInfo() {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: SIGN_IN_KEY,
    queryFn: () => api(readSignIn, {}),
    ...kept(queryClient, SIGN_IN_KEY, { schema: readSignIn.output }),
  })
}

export const AUTH_SESSIONS_KEY = [readAuthSessions.path]

/** Where the user is signed in. */
export function useAuthSessions() {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: AUTH_SESSIONS_KEY,
    queryFn: () => api(readAuthSessions, {}),
    ...kept(queryClient, AUTH_SESSIONS_KEY, { schema: readAuthSessions.output }),
  })
}

export const PASSKEYS_KEY = ['passkeys']

/** The passkeys of the user, oldest first. */
export function usePasskeyList(enabled: boolean) {
  return useQuery({ queryKey: PASSKEYS_KEY, queryFn: async () => dataOf((await authClient()).passkey.list()), enabled })
}

export const FACTORS_KEY = ['factors']

/** The authenticator apps of the user, and how many recovery codes are left; null without recovery codes. */
export function useFactors() {
  return useQuery({
    queryKey: FACTORS_KEY,
    queryFn: async () => {
      const { totp } = await dataOf((await authClient()).mfa.listFactors())
      return { apps: totp, codesLeft: totp.length > 0 ? await readCodesLeft() : null }
    },
  })
}

async function readCodesLeft(): Promise<number | null> {
  const { data, error } = await (await authClient()).mfa.recoveryCodes.getStatus()
  if (isAuthApiError(error) && error.code === 'mfa_factor_not_found') return null
  if (error) throw error
  return data.remaining
}

export const IDENTITIES_KEY = ['identities']

/** The identities of the user: the email address, and the account at the company. */
export function useIdentities(enabled: boolean) {
  return useQuery({
    queryKey: IDENTITIES_KEY,
    queryFn: async () => (await dataOf((await authClient()).getUserIdentities())).identities,
    enabled,
  })
}

async function dataOf<Data>(asked: Promise<{ data: Data | null; error: Error | null }>): Promise<Data> {
  const { data, error } = await asked
  if (error || data === null) throw error ?? new Error('No answer.')
  return data
}
