import { readScopes } from './access.ts'
import { EXIT, Problem } from './exit.ts'
import { readSecret } from './read-secret.ts'
import { deleteLogin, saveLogin } from './saved-login.ts'
import { parseServer } from './server-url.ts'

/** Asks for a token, checks it, and saves it instead of an earlier one. Returns a sentence for the user. */
export async function signIn(server: string | null): Promise<string> {
  if (server === null) throw new Problem(EXIT.usage, 'Name the server: deeb login --server https://deeb.example.com')
  const origin = parseServer(server)
  const token = await readSecret(`Token for ${origin} (it is not shown): `)
  if (token === '') throw new Problem(EXIT.usage, 'No token was entered.')
  // A header cannot contain anything else.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Problem(EXIT.usage, 'This is not a token: it has spaces or other characters in it.')
  const login = { server: origin, token }
  const scopes = await readScopes(login)
  deleteLogin()
  const place = saveLogin(login)
  return `Signed in at ${origin}. The token allows ${scopes.join(', ')}. It is saved in ${place}.`
}
