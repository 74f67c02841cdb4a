import { type Db, statement } from '../../db/db.ts'

/** A company session lives this long where nothing says when a person leaves: no refresh token and no directory. */
export const UNCHECKED_HOURS = 24

/** A provider or a directory that is silent signs nobody out for this long. */
export const PATIENCE_DAYS = 7

const limit = statement(
  'auth.limit-unwatched-sessions',
  `update auth.sessions set not_after = :now::timestamptz + interval '${UNCHECKED_HOURS} hours'
  where sso_provider_id is not null and not_after > :now::timestamptz + interval '${UNCHECKED_HOURS} hours'
    and not exists (select from auth.identities where identities.user_id = sessions.user_id
      and identities.sso_provider_id = sessions.sso_provider_id and idp_refresh_token is not null)
    and not exists (select from auth.scim_tokens where scim_tokens.provider_id = sessions.sso_provider_id
      and last_used_at > :now::timestamptz - interval '${PATIENCE_DAYS} days')`,
)

/**
 * Ends company sessions within 24 hours if nothing says any more when their people leave: the directory has no token, or has asked
 * nothing for seven days. Idempotent.
 */
export async function limitUnwatchedSessions(db: Db, now: Date): Promise<void> {
  await db.query(limit, { now })
}
