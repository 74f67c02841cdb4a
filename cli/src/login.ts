import { readOwnToken } from '@deeb/core/tokens/api'
import { call } from './api.ts'
import { EXIT, Problem } from './exit.ts'
import { readSecret } from './read-secret.ts'
import { deleteLogin, saveLogin } from './saved-login.ts'
import { parseServer } from './server-url.ts'

/** Asks for a token, checks it, and saves it instead of an earlier one. Returns a sentence for the user. */
export async function signIn(server: string | null): Promise<string> {
  if (server === null) throw new Problem(EXIT.usage, 'Name the server: deeb login --server https://deeb.example.com')
  const origin = parseServer(server)
  const token = await readSecret(`Token for ${origin}, from Settings, Connected apps (it is not shown): `)
  if (token === '') throw new Problem(EXIT.usage, 'No token was entered.')
  if (!/^deeb_pat_[0-9A-Za-z]+$/.test(token))
    throw new Problem(EXIT.usage, 'This is not a token: it must begin with deeb_pat_.')
  const login = { server: origin, token }
  const { scopes, expiresAt } = await call(login, readOwnToken, {})
  deleteLogin()
  const place = saveLogin(login)
  return `Signed in at ${origin}. The token allows ${scopes.join(', ')} until ${expiresAt.slice(0, 10)}. It is saved in ${place}.`
}
