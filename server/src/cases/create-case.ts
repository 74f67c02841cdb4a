import { randomUUID } from 'node:crypto'
import type { createCase as endpoint } from '@deeb/core/cases/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { withUserLock } from '../auth/user/user-lock.ts'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { makeLinkSecret } from '../lib/link-secret.ts'
import { Refusal } from '../lib/refusal.ts'
import { HAS_ROOM } from './case.ts'

const insert = statement(
  'cases.create',
  `insert into cases (id, user_id, code_hash, since) select :id, :userId, :hash, :now where ${HAS_ROOM} returning id`,
)

/** Makes a code of the actor. Only the answer has it. Throws `too_many_cases`. */
export async function createCase(db: Db, { userId }: Actor, now: Date): Promise<OutputOf<typeof endpoint>> {
  const { secret: code, hash } = makeLinkSecret()
  // The row lock serializes concurrent calls: both could pass the limit.
  const [made] = await withUserLock(db, userId, (db) =>
    db.query<{ id: string }>(insert, { id: randomUUID(), userId, hash, now }),
  )
  if (!made) throw new Refusal('too_many_cases')
  return { id: made.id, code }
}
