import { randomUUID } from 'node:crypto'
import type { Scope } from '@deeb/core/scopes'
import { decodeJwt } from 'jose'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { openAuthSession } from '../auth/auth-session/auth-session.ts'
import { sessionAnswer } from '../auth/auth-session/session-answer.ts'
import { makeToken } from '../auth/personal-tokens/token-format.ts'
import { statement } from '../db/db.ts'
import { addPerson } from '../demo/add-person.ts'

/** The password of all users of makeUser(). */
export const PASSWORD = 'seven quiet otters'

const caller = {
  ip: '127.0.0.1',
  userAgent: null,
  browser: { cookie: null, isOnOurPages: false },
  language: 'en' as const,
}
const passwordHashes = new Map<string, Promise<string>>()

export interface MadeUser {
  userId: string
  email: string
  accessToken: string
  refreshToken: string
}

/** Creates a user with a confirmed address who is signed in on one device, without the steps of sign-up. */
export async function makeUser(
  { auth }: { auth: AuthDeps },
  { email = `${randomUUID()}@fjordlab.example` }: { email?: string } = {},
): Promise<MadeUser> {
  const hash = await hashedAsBy(auth)
  const now = auth.now()
  const userId = await addPerson(auth.db, { email, passwordHash: hash }, await auth.companyPolicy(), now)
  const session = await openAuthSession(auth.db, { userId, passwordHash: hash }, { caller, now })
  if (!session) throw new Error('The auth session of a new user was not created.')
  const { body } = await sessionAnswer(auth, session, now)
  return { userId, email, accessToken: body.access_token, refreshToken: body.refresh_token }
}

/** A hash of `PASSWORD`, computed once per cost. */
function hashedAsBy({ config, passwords }: AuthDeps): Promise<string> {
  const cost = JSON.stringify(config.argon2)
  const known = passwordHashes.get(cost) ?? passwords.hash(PASSWORD)
  passwordHashes.set(cost, known)
  return known
}

/** The id of the auth session of an access token. */
export function authSessionOf({ accessToken }: Pick<MadeUser, 'accessToken'>): string {
  return decodeJwt<{ session_id: string }>(accessToken).session_id
}

const connect = statement(
  'test.make-connection',
  `insert into team_connections (id, requester_id, receiver_id, status, created_at, updated_at)
  values (:id, :requesterId, :receiverId, 'accepted', :now, :now)`,
)

/** Creates an accepted connection between two users, and returns its id. */
export async function makeConnection(
  { auth }: { auth: Pick<AuthDeps, 'db' | 'now'> },
  requester: MadeUser,
  receiver: MadeUser,
): Promise<string> {
  const id = randomUUID()
  await auth.db.query(connect, { id, requesterId: requester.userId, receiverId: receiver.userId, now: auth.now() })
  return id
}

const insertToken = statement(
  'test.make-token',
  `insert into auth.personal_tokens (id, user_id, name, token_hash, scopes, created_at, expires_at)
  values (:id, :userId, 'Desk light', :tokenHash, :scopes, :now, :now::timestamptz + interval '1 year')`,
)

/** Creates a personal access token of a user. */
export async function makePersonalToken(
  { auth }: { auth: Pick<AuthDeps, 'db' | 'now'> },
  { userId }: Pick<MadeUser, 'userId'>,
  scopes: readonly Scope[],
): Promise<{ id: string; token: string }> {
  const id = randomUUID()
  const { token, tokenHash } = makeToken()
  await auth.db.query(insertToken, { id, userId, tokenHash, scopes, now: auth.now() })
  return { id, token }
}
