import { type Db, statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { wrongCodesMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { Principal } from '../auth-session/access-token.ts'
import type { Call } from '../http/caller.ts'

/** The owner is notified by email when the account reaches this many wrong codes. */
const CODES_UNTIL_EMAIL = 10

/** The count of wrong codes resets this long after the last one, unless the limit is reached. */
const WRONG_CODES_TTL = "interval '30 days'"

/*
 * Counts a wrong code per account, so that several auth sessions do not allow a faster brute force. Also counts it per auth
 * session: a right code subtracts those of its own auth session.
 */
const wrongCode = statement(
  'auth.wrong-code',
  `with own as (
    update auth.sessions set failed_codes = failed_codes + 1 where id = :sessionId
  ), person as (
    update auth.users set last_failed_code_at = :now, failed_codes = 1 + case
      when failed_codes >= ${LIMITS.wrongCodes.max} or last_failed_code_at > :now::timestamptz - ${WRONG_CODES_TTL}
      then failed_codes else 0 end
    where id = :userId returning id, email, failed_codes
  ), mailed as (
    ${outboxInsert({ recipient: 'email', from: `person where failed_codes = ${CODES_UNTIL_EMAIL}` })}
  )
  ${auditInsert({
    action: "'mfa_failed'",
    userId: 'id',
    detail: "jsonb_build_object('factor', :factorId::uuid, 'wrong_codes', failed_codes)",
    from: 'person',
  })}`,
)

/** Counts a wrong code of a factor, from an app or a recovery code, and notifies the owner of the tenth. */
export async function recordWrongCode(
  db: Db,
  { sessionId, userId }: Principal,
  factorId: string,
  { caller: { ip, language }, now }: Call,
): Promise<void> {
  await db.query(wrongCode, { sessionId, userId, now, factorId, ip, ...mailParams(wrongCodesMail(), language) })
}
