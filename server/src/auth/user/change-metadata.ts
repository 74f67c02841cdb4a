import { type Db, statement } from '../../db/db.ts'
import { IS_HOLDERS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Principal } from '../http/principal.ts'
import { MAX_BYTES, type MetadataChange } from './user-metadata.ts'

const merge = statement(
  'auth.merge-metadata',
  `update auth.users set raw_user_meta_data = (raw_user_meta_data || :set::jsonb) - :remove::text[], updated_at = :now
  where id = :userId and exists (select from auth.sessions where ${IS_HOLDERS})
    and octet_length(((raw_user_meta_data || :set::jsonb) - :remove::text[])::text) <= ${MAX_BYTES}
  returning id`,
)

/** Adds to the data of an account, over what is there under the same names. Throws `validation_failed` past 4 KiB. */
export async function changeMetadata(
  db: Db,
  { sessionId, userId, binding }: Principal,
  { set, remove }: MetadataChange,
  now: Date,
): Promise<void> {
  const [done] = await db.query(merge, { sessionId, userId, now, binding, set: JSON.stringify(set), remove })
  if (!done) throw new AuthError('validation_failed', { message: 'The data of an account is at most 4 KiB.' })
}
