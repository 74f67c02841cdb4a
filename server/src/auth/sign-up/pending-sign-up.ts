import { callerNetwork } from '../../limits/ip-network.ts'
import { DROPPED_MAIL, eitherMailParams } from '../../mail/mail-budgets.ts'
import { alreadyMail, confirmMail } from '../../mail/messages.ts'
import { auditInsert } from '../audit-insert.ts'
import type { Caller } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'

/**
 * SQL: selects one pending sign-up of an address: the caller network's own, else the newest. Anyone can sign up with any
 * address, so the newest may be a stranger's.
 */
export const OWN_NETWORK_FIRST =
  'order by caller_network is not distinct from :network desc, created_at desc, id limit 1'

/** SQL: the audit event of a sign-up or a resend. `known` is a CTE with the account of the address, if there is one. */
export function logSignUp({ id, detail = DROPPED_MAIL }: { id: string; detail?: string }): string {
  return auditInsert({
    action: "case when exists (select from known) then 'signup_repeated' else 'signup_requested' end",
    userId: `coalesce((select id from known), ${id})`,
    detail,
  })
}

/** The parameters of a sign-up and of a resend: caller, new link, and the email for an address with or without an account. */
export function signUpParams(publicUrl: string, email: string, { ip }: Caller, now: Date) {
  const { token, tokenHash } = makeLinkToken()
  const network = callerNetwork(ip)
  const texts = eitherMailParams({ unknown: confirmMail(publicUrl, token), known: alreadyMail(publicUrl) })
  return { email, now, ip, network, askedBy: network, tokenHash, ...texts }
}
