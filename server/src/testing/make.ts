import { randomUUID } from 'node:crypto'
import { createProfile } from '../account/create-profile.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { openSession } from '../auth/session.ts'
import { sessionAnswer } from '../auth/session-answer.ts'
import { statement } from '../db/db.ts'

/** The password of everybody that makeUser() makes. */
export const PASSWORD = 'seven quiet otters'

const insert = statement(
  'test.make-user',
  `with person as (
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
    values ($1, $2, $3, $4, $4, $4) returning id, email
  )
  insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
  select $5, id, 'email', id::text, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), $4, $4
  from person`,
)

const caller = { ip: '127.0.0.1', userAgent: null, browser: { cookie: null, isOnOurPages: false } }
let passwordHash: Promise<string> | undefined

export interface MadeUser {
  userId: string
  email: string
  accessToken: string
  refreshToken: string
}

/** A person with a confirmed address, signed in on one device; as sign-up leaves them, but at once. */
export async function makeUser(
  { auth }: { auth: AuthDeps },
  { email = `${randomUUID()}@fjordlab.example` }: { email?: string } = {},
): Promise<MadeUser> {
  passwordHash ??= auth.passwords.hash(PASSWORD)
  const hash = await passwordHash
  const userId = randomUUID()
  const now = auth.now()
  await auth.db.query(insert, [userId, email, hash, now, randomUUID()])
  await createProfile(auth.db, { userId, email }, auth.companyPolicy)
  const session = await openSession(auth.db, { userId, passwordHash: hash }, caller, now)
  if (!session) throw new Error('The session of a user just made was not opened.')
  const { body } = await sessionAnswer(auth, session, now)
  return { userId, email, accessToken: body.access_token, refreshToken: body.refresh_token }
}
