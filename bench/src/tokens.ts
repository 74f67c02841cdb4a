import { createAccessTokens } from '../../server/src/auth/auth-session/access-token.ts'
import { deriveKeys } from '../../server/src/config/keys.ts'
import { PUBLIC_URL, SECRET } from './deeb-server.ts'
import { idOf } from './person.ts'

/** A signed-in user. */
export interface Person {
  userId: string
  accessToken: string
}

/**
 * The people `first` to `last` of the dataset, signed in. The dataset has their auth sessions, and the server's own module signs
 * the access tokens with its own key, since 10,000 passwords would take minutes. The server verifies them like any other.
 */
export async function signedIn(first: number, last: number): Promise<Person[]> {
  const { sign } = createAccessTokens(await deriveKeys(Buffer.from(SECRET, 'hex')), PUBLIC_URL)
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return Promise.all(
    numbers.map(async (n) => {
      const userId = idOf('person', n)
      const about = { email: `${n}@large.example`, appMetadata: {}, userMetadata: {}, aal: 'aal1', amr: [] }
      const accessToken = await sign({ ...about, userId, sessionId: idOf('session', n) }, new Date())
      return { userId, accessToken }
    }),
  )
}
