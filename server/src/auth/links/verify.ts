import * as z from 'zod/mini'
import type { AuthDeps } from '../auth-deps.ts'
import type { Caller } from '../door/caller.ts'
import { accept } from '../door/dialect.ts'
import { ConfirmInput, confirm } from '../flows/confirm.ts'
import type { SessionAnswer } from '../session-answer.ts'
import { openEmailChange } from './open-email-change.ts'
import { openRecovery } from './open-recovery.ts'

export const LinkInput = z.object({
  type: z.enum(['signup', 'email', 'recovery', 'email_change']),
  token_hash: z.string(),
})

/**
 * Opens the link of a mail, whatever it is for. Throws as the flow of its type does, `validation_failed`, and
 * `over_request_rate_limit` after too many links that opened nothing.
 */
export async function verify(auth: AuthDeps, body: unknown, caller: Caller, now: Date): Promise<SessionAnswer> {
  const link = accept(LinkInput, body)
  // Good links do not count: an office that joins in one morning opens more of them than a guesser may try.
  return auth.limits.verify.duringGuess(caller, now, () => open(auth, link, body, caller, now))
}

function open(
  auth: AuthDeps,
  { type, token_hash }: z.output<typeof LinkInput>,
  body: unknown,
  caller: Caller,
  now: Date,
): Promise<SessionAnswer> {
  if (type === 'signup' || type === 'email') return confirm(auth, accept(ConfirmInput, body), caller, now)
  return type === 'recovery'
    ? openRecovery(auth, token_hash, caller, now)
    : openEmailChange(auth, token_hash, caller, now)
}
