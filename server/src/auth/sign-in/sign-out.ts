import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import { endOutsideAccess } from '../../profile/outside-access.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { withUserLock } from '../user/user-lock.ts'

/** As in GoTrue, all auth sessions end by default. */
export const SignOutInput = v.object({ scope: v.optional(v.picklist(['global', 'local', 'others']), 'global') })

const end = statement(
  'auth.end-sessions',
  `with own as (
    select id, user_id from auth.sessions where ${IS_PRINCIPALS}
  ), ended as (
    delete from auth.sessions using own where sessions.user_id = own.user_id
      and case :scope when 'local' then sessions.id = own.id when 'others' then sessions.id <> own.id else true end
    returning sessions.id
  ), logged as (
    ${auditInsert({
      action: "'logout'",
      userId: 'user_id',
      detail: "jsonb_build_object('scope', :scope::text)",
      from: 'own',
    })}
  )
  select coalesce((select array_agg(id::text) from ended), '{}') as ended from own`,
)

/**
 * Revocation: ends this auth session (`local`), all of the user (`global`), or all but this one (`others`); but for `local` also the
 * access of programs. Throws `session_not_found` if
 * this one has already ended.
 */
export async function signOut(
  auth: AuthDeps,
  { sessionId, userId, binding }: Principal,
  { scope }: v.InferOutput<typeof SignOutInput>,
  { caller, now }: Call,
): Promise<void> {
  const values = { sessionId, userId, now, binding, scope, ip: caller.ip }
  const ended = await withUserLock(auth.db, userId, async (db) => {
    const [own] = await db.query<{ ended: string[] }>(end, values)
    return own && [...own.ended, ...(scope === 'local' ? [] : await endOutsideAccess(db, userId))]
  })
  if (!ended) {
    auth.sessionAlive.evict(sessionId)
    throw new AuthError('session_not_found')
  }
  for (const id of ended) auth.sessionAlive.invalidate(id)
}
