import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { SCOPES } from '@deeb/core/scopes'
import { type createToken as endpoint, MAX_TOKENS } from '@deeb/core/tokens/api'
import { auditInsert } from '../auth/audit-insert.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { IS_USABLE } from '../auth/auth-session/auth-session.ts'
import { makeToken } from '../auth/personal-tokens/token-format.ts'
import { IS_PROVEN } from '../auth/proof.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import { statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { tokenCreatedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'

const insert = statement(
  'tokens.create',
  `with own as (
    select ip, ${IS_PROVEN} as is_proven,
      (select count(*) from auth.personal_tokens where user_id = :userId) < ${MAX_TOKENS} as has_room
    from auth.sessions where id = :sessionId and user_id = :userId and ${IS_USABLE}
  ), made as (
    insert into auth.personal_tokens (id, user_id, name, token_hash, scopes, created_at, expires_at)
    select :id, :userId, :name, :tokenHash, :scopes, :now, :expiresAt from own where is_proven and has_room
    returning id, user_id, scopes
  ), mailed as (
    ${outboxInsert({ recipient: 'users.email', from: 'made join auth.users on users.id = made.user_id' })}
  ), logged as (
    ${auditInsert({
      action: "'token_created'",
      userId: 'user_id',
      ip: 'own.ip',
      detail: "jsonb_build_object('token', id, 'scopes', scopes)",
      from: 'made, own',
    })}
  )
  select is_proven as "isProven", has_room as "hasRoom" from own`,
)

/**
 * Creates a personal access token, which only the answer has, and notifies its owner by email. Throws `proof_needed` without a recent
 * re-authentication, and `too_many_tokens`.
 */
export async function createToken(
  { db, mailer }: Pick<AuthDeps, 'db' | 'mailer'>,
  { userId, sessionId }: SignedInActor,
  { name, scopes: asked, days }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { token, tokenHash } = makeToken()
  const id = randomUUID()
  // In their own order, and each once.
  const scopes = SCOPES.filter((scope) => asked.includes(scope))
  const expiresAt = new Date(now.getTime() + days * 86_400_000)
  const values = { userId, sessionId, id, name, tokenHash, scopes, now, expiresAt, ...mailParams(tokenCreatedMail()) }
  // The row lock serializes concurrent calls: the limit is a count, and both could pass it. It also orders them with a revocation of
  // all tokens.
  const [own] = await withUserLock(db, userId, (db) =>
    db.query<{ isProven: boolean; hasRoom: boolean }>(insert, values),
  )
  if (!own) throw new Refusal('not_signed_in')
  if (!own.isProven) throw new Refusal('proof_needed')
  if (!own.hasRoom) throw new Refusal('too_many_tokens')
  mailer.kick()
  const times = { createdAt: now.toISOString(), expiresAt: expiresAt.toISOString(), lastUsedAt: null }
  return { token, details: { id, name, scopes, ...times } }
}
