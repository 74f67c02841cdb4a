import type { tapCase as endpoint } from '@deeb/core/cases/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { linkSecretHash } from '../lib/link-secret.ts'
import { Refusal } from '../lib/refusal.ts'
import { IS_CLAIMABLE } from './case.ts'

const find = statement(
  'cases.tap',
  `select case when user_id = :userId then 'own' else 'unclaimed' end as whose from cases
  where code_hash = :hash and (user_id = :userId or ${IS_CLAIMABLE})`,
)

/** Whether the code is the actor's, or one to claim. Throws `not_found` for any other code, whatever the reason. */
export async function tapCase(
  db: Db,
  { userId }: Actor,
  { code }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const [found] = await db.query<OutputOf<typeof endpoint>>(find, { userId, hash: linkSecretHash(code) })
  if (!found) throw new Refusal('not_found')
  return found
}
