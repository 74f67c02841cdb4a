import { type Db, statement } from '../../db/db.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import { MAX_BYTES, type MetadataChange } from './user-metadata.ts'

const merge = statement(
  'auth.merge-metadata',
  `update auth.users set raw_user_meta_data = (raw_user_meta_data || :set::jsonb) - :remove::text[], updated_at = :now
  where id = :userId and exists (select from auth.sessions where ${IS_PRINCIPALS})
    and octet_length(((raw_user_meta_data || :set::jsonb) - :remove::text[])::text) <= ${MAX_BYTES}
  returning id`,
)

/** Merges `set` into the metadata of an account and removes the names in `remove`. Throws `validation_failed` above 4 KiB. */
export async function changeMetadata(
  db: Db,
  { sessionId, userId, binding }: Principal,
  { set, remove }: MetadataChange,
  now: Date,
): Promise<void> {
  const [done] = await db.query(merge, { sessionId, userId, now, binding, set: JSON.stringify(set), remove })
  if (!done) throw new AuthError('validation_failed', { message: 'The data of an account must be at most 4 KiB.' })
}
