import { readOwnToken } from '@deeb/core/tokens/api'
import * as texts from '@deeb/texts/cli'
import { call } from './api.ts'
import { EXIT, Problem } from './exit.ts'
import { readSecret } from './read-secret.ts'
import { deleteLogin, saveLogin } from './saved-login.ts'
import { parseServer } from './server-url.ts'

/** Asks for a token, checks it, and saves it instead of an earlier one. Returns a sentence for the user. */
export async function signIn(server: string | null): Promise<string> {
  if (server === null) throw new Problem(EXIT.usage, texts.serverMissing())
  const origin = parseServer(server)
  const token = await readSecret(texts.tokenPrompt({ server: origin }))
  if (token === '') throw new Problem(EXIT.usage, texts.tokenMissing())
  if (!/^deeb_pat_[0-9A-Za-z]+$/.test(token)) throw new Problem(EXIT.usage, texts.tokenInvalid())
  const login = { server: origin, token }
  const { scopes, expiresAt } = await call(login, readOwnToken, {})
  deleteLogin()
  const path = saveLogin(login)
  const about = { server: origin, scopes: scopes.join(', '), date: expiresAt.slice(0, 10) }
  return path === null ? texts.signedInWithKeychain(about) : texts.signedIn({ ...about, path })
}
