export interface CompanyPolicy {
  /** Hosts where anybody gets a mailbox, free or throw-away; each stands for its sub-domains too. */
  freeMailDomains: ReadonlySet<string>
  /** The operator's word on what is a company, which then alone counts; null where every other domain may be one. */
  companyDomains: ReadonlySet<string> | null
}

/**
 * Mailboxes that many people read, or that a program answers. They count as the first word of a local part, because help
 * desks append what they like: a number, a random code, a country. Further words may be surnames: Steve Jobs, Maria Sales.
 * The list is the mailboxes of RFC 2142 and the habits of European companies; it cannot be complete.
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
 * Help desks, trackers, mailing lists and forums: many show strangers what is sent to them, so being able to read a
 * confirmation there makes nobody a colleague. No surnames, so they count as any word: `acme-support`, `eu.support`.
 */
const OPEN_TO_STRANGERS = words(
  'allhands announce announcement announcements bugs bugzilla commits discuss forum forums freshdesk help helpdesk issues',
  'lists listserv mailman noreply servicedesk servicenow support ticket tickets user users zendesk',
)

/** The same behind another word without a mark between them: `acmesupport`, `itsupport`. */
const ENDS_OPEN_TO_STRANGERS = /(?:helpdesk|noreply|servicedesk|support|tickets)$/

/** Mailing lists and trackers too, and also names of people. They count unless the local part is PERSONAL: `openssl-dev`. */
const SHARED_OR_A_NAME = words('dev jira list')

/** Words joined as first and last names mostly are: `kapil.dev`, `ann_list`, `ann.list2`. */
const PERSONAL = /^[a-z]+(?:[._][a-z]+)+\d*$/

const NO_REPLY = /(?:^|[^a-z])(?:no|do[._-]?not)[._-]?reply/

/**
 * The company of a person, by the confirmed address in the form of `parseEmail`: the exact domain, so that a sub-domain is a
 * company of its own. Null, which means no company and so no colleagues, where the address proves none: with a `+`
 * tag, at a shared mailbox (also `support-123`, `acme-support`, `hr_berlin`), and at a host of free mail or below it, or,
 * where the operator has a list of companies, at whatever is not on it.
 *
 * A person whose address looks like a shared mailbox has no company, and needs another address to get one. That is the
 * safer mistake: the other one shows a company's directory to strangers.
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
    parts.some((word) => OPEN_TO_STRANGERS.has(word) || ENDS_OPEN_TO_STRANGERS.test(word)) ||
    (!isPersonal && parts.some((word) => SHARED_OR_A_NAME.has(word)))
  )
}

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** `mail.acme.com` gives `mail.acme.com`, `acme.com` and `com`. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
