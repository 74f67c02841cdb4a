import type { OutputOf } from '@deeb/core/endpoint'
import { readHome } from '@deeb/core/home/api'
import { call, type Login } from './api.ts'
import { currentTimeZone } from './own-state.ts'

/** What a token may do. */
export const SCOPES = ['switch', 'read', 'team'] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes of a token. Throws a `Problem` if the server does not accept it. An access token of a sign-in has all of them. */
export async function readScopes(login: Login): Promise<readonly Scope[]> {
  await readFocus(login)
  return SCOPES
}

/** The open focus session of the signed-in person, if there is one, and the time of the server. */
export async function readFocus(login: Login): Promise<Pick<OutputOf<typeof readHome>, 'openSession' | 'serverTime'>> {
  return call(login, readHome, { timeZone: currentTimeZone() })
}
