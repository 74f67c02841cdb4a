import { randomUUID } from 'node:crypto'
import type { CompanyPolicy } from '@deeb/core/account/company'
import { type Db, statement } from '../db/db.ts'
import { createProfile } from '../profile/create-profile.ts'

const insert = statement(
  'demo.add-person',
  `with person as (
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
    values (:userId, :email, :passwordHash, :now, :now, :now) returning id, email
  )
  insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
  select :identityId, id, 'email', id::text, jsonb_build_object('sub', id, 'email', email, 'email_verified', true),
    :now, :now
  from person`,
)

/** Creates a user with a confirmed email address, without the emails of a sign-up. Returns the id. */
export async function addPerson(
  db: Db,
  { email, passwordHash }: { email: string; passwordHash: string },
  policy: CompanyPolicy,
  now: Date,
): Promise<string> {
  const userId = randomUUID()
  await db.query(insert, { userId, email, passwordHash, now, identityId: randomUUID() })
  await createProfile(db, { userId, email, language: null }, policy, now)
  return userId
}
