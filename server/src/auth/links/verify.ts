import * as v from 'valibot'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import type { SessionAnswer } from '../auth-session/session-answer.ts'
import { CompanyCodeInput, enterCode } from '../company/exchange.ts'
import { requireMayMove, requireOpenDomain } from '../company/only-by-company.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { accept } from '../http/gotrue-errors.ts'
import { openRecovery } from '../recovery/open-recovery.ts'
import { ConfirmInput, confirm } from '../sign-up/confirm.ts'
import { openEmailChange } from '../user/open-email-change.ts'
import { findLink } from './find-link.ts'

const CompanyCode = v.object({ type: v.literal('magiclink') })

export const LinkInput = v.object({
  type: v.picklist(['signup', 'email', 'recovery', 'email_change', 'magiclink']),
  token_hash: v.string(),
  password: v.optional(v.string()),
})

/**
 * Opens an email link of any type, or takes the code of a company sign-in. `opener` is the live auth session that sent the request, null for none. Throws the errors of
 * the link's flow, `signup_disabled`, `user_sso_managed`, `another_account` if another user is signed in, and `over_request_rate_limit`
 * after too many invalid links.
 *
 * Prevents login CSRF: a link never replaces the auth session of another user.
 */
export async function verify(
  auth: AuthDeps,
  body: unknown,
  opener: Principal | null,
  call: Call,
): Promise<SessionAnswer> {
  const { caller, now } = call
  const isCompanyCode = v.safeParse(CompanyCode, body).success
  // A valid link refunds its token: an office that signs up together opens more links than a brute force may try.
  const limit = isCompanyCode ? auth.limits.companyExchange : auth.limits.verify
  return limit.limitGuess(caller.ip, now, async () => open(auth, body, opener, call))
}

async function open(auth: AuthDeps, body: unknown, opener: Principal | null, call: Call): Promise<SessionAnswer> {
  const { now } = call
  const { type, token_hash, password } = accept(LinkInput, body)
  // The name that auth-js has for it. No link: the code of a company sign-in.
  if (type === 'magiclink') return enterCode(auth, accept(CompanyCodeInput, body), call)
  if (!auth.config.isSignUpOn && (type === 'signup' || type === 'email')) throw new AuthError('signup_disabled')
  const link = await findLink(auth.db, token_hash, now)
  if (!link || link.kind !== (type === 'email' ? 'signup' : type)) throw new AuthError('otp_expired')
  // Prevents login CSRF: the link must belong to the signed-in user.
  if (opener && opener.userId !== link.userId) throw new AuthError('another_account')
  if (link.kind === 'signup') await requireOpenDomain(auth.db, link.email)
  if (link.kind === 'email_change') await requireMayMove(auth.db, link.email, link.newEmail)
  if (link.kind === 'signup') return confirm(auth, accept(ConfirmInput, body), call)
  if (link.kind === 'recovery') return openRecovery(auth, token_hash, call)
  return openEmailChange(auth, token_hash, link, { opener, password }, call)
}
