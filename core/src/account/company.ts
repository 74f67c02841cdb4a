/** Which domains are companies. */
export interface CompanyPolicy {
  /** Domains of free and disposable email. Their subdomains are included. */
  freeMailDomains: ReadonlySet<string>
  /** The allowlist of the administrator, which replaces `freeMailDomains`. Null if every other domain may be a company. */
  companyDomains: ReadonlySet<string> | null
}

/**
 * Names of shared mailboxes, matched with the first word of a local part: help desks append numbers, codes or countries. Later
 * words may be surnames, as in Steve Jobs and Maria Sales.
 *
 * Sources are RFC 2142 and names that are common at European companies. The list cannot be complete.
 */
const SHARED_AS_FIRST_WORD = words(
  'abuse accessibility account accounting accounts admin administration administrator admins all alert alerts anyone app',
  'apply apps assistance automation billing booking bookings bot bounce bounces career careers cert client clients',
  'community compliance contact contactus customer customercare customers customerservice daemon data demo desk',
  'developer developers devops dpo email employees enquiries enquiry errors events everybody everyone',
  'facilities faq feedback finance ftp gdpr general group groups hello hi hiring hostmaster',
  'hr inbox info information inquiries inquiry invoice invoices it jobs legal list mail mailbox',
  'mailer maintainers majordomo management marketing media members moderator moderators monitoring news',
  'newsletter newsletters nobody noc notification notifications notify office ombudsman operations ops order orders',
  'owner partner partners partnerships payments payroll people postmaster pr press privacy procurement purchasing',
  'reception recruiting recruitment registrar reply replyto request requests returns root sales security service',
  'services shop spam staff status subscribe subscriptions survey sysadmin system team teams tech',
  'test testing training unsubscribe usenet uucp web webadmin webmail webmaster welcome www',
  'anfrage anfragen bewerbung bewerbungen buchhaltung buero datenschutz einkauf empfang karriere kontakt kundenservice',
  'mitarbeiter poststelle presse rechnung rechnungen sekretariat verkauf vertrieb verwaltung zentrale accueil bonjour',
  'comptabilite contacto contatto empleo facturation ventas ventes',
)

/**
 * Help desks, issue trackers, mailing lists and forums, matched with any word: `acme-support`, `eu.support`. Many show their
 * email to strangers, so a stranger could read a confirmation there and become a colleague.
 */
const PUBLIC_MAILBOXES = words(
  'allhands announce announcement announcements bugs bugzilla commits discuss forum forums freshdesk help helpdesk issues',
  'lists listserv mailman noreply servicedesk servicenow support ticket tickets user users zendesk',
)

/** Public mailboxes whose name follows another word without a separator: `acmesupport`, `itsupport`. */
const ENDS_WITH_PUBLIC_MAILBOX = /(?:helpdesk|noreply|servicedesk|support|tickets)$/

/** Mailing lists and trackers that are names of people too. Matched unless the local part is PERSONAL: `openssl-dev`. */
const SHARED_OR_A_NAME = words('dev jira list')

/** Words joined like a first and a last name: `kapil.dev`, `ann_list`, `ann.list2`. */
const PERSONAL = /^[a-z]+(?:[._][a-z]+)+\d*$/

const NO_REPLY = /(?:^|[^a-z])(?:no|do[._-]?not)[._-]?reply/

/**
 * The company of a confirmed address in the form of `parseEmail`: its exact domain, so a subdomain is a separate company. Null
 * means no company and so no colleagues, for an address that proves none:
 *
 *     a `+` tag            ann+deeb@acme.com
 *     a shared mailbox     support@, support-123@, acme-support@, hr_berlin@
 *     a domain             of free email, or missing in the allowlist if there is one
 *
 * A false positive for a shared mailbox costs a person the team screen. A false negative would show the directory of a company
 * to strangers.
 */
export function companyOf(email: string, policy: CompanyPolicy): string | null {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const domain = email.slice(at + 1)
  if (local.includes('+') || isSharedMailbox(local)) return null
  const isCompany = policy.companyDomains
    ? policy.companyDomains.has(domain)
    : !withParents(domain).some((host) => policy.freeMailDomains.has(host))
  return isCompany ? domain : null
}

function isSharedMailbox(local: string): boolean {
  const parts = local.split(/[^a-z]+/).filter((word) => word !== '')
  const isPersonal = PERSONAL.test(local)
  return (
    NO_REPLY.test(local) ||
    SHARED_AS_FIRST_WORD.has(parts[0] ?? '') ||
    parts.some((word) => PUBLIC_MAILBOXES.has(word) || ENDS_WITH_PUBLIC_MAILBOX.test(word)) ||
    (!isPersonal && parts.some((word) => SHARED_OR_A_NAME.has(word)))
  )
}

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** A domain and its parents: `mail.acme.com`, `acme.com` and `com`. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
