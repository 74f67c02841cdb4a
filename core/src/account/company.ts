export interface CompanyPolicy {
  /** Hosts where anybody gets a mailbox, free or throw-away; each stands for its sub-domains too. */
  freeMailDomains: ReadonlySet<string>
  /** The operator's word on what is a company, which then alone counts; null where every other domain may be one. */
  companyDomains: ReadonlySet<string> | null
}

/**
 * Mailboxes that many people read, or that a program answers. Help desks and forums show strangers what is sent to such an
 * address, so being able to read a confirmation there does not make somebody a colleague. The list is the mailboxes of
 * RFC 2142 and the habits of European companies; it cannot be complete.
 */
const SHARED_MAILBOXES: ReadonlySet<string> = new Set(
  [
    'abuse accessibility account accounting accounts admin administration administrator admins all alert alerts anyone app',
    'apply apps assistance automation billing booking bookings bot bounce bounces bugs career careers cert client clients',
    'community compliance contact contactus customer customercare customers customerservice daemon data demo desk',
    'developer developers devops discuss dpo email employees enquiries enquiry errors events everybody everyone',
    'facilities faq feedback finance forum forums ftp gdpr general group groups hello help helpdesk hi hiring hostmaster',
    'hr inbox info information inquiries inquiry invoice invoices it itsupport jobs legal list lists listserv mail mailbox',
    'mailer mailman maintainers majordomo management marketing media members moderator moderators monitoring news',
    'newsletter newsletters nobody noc notification notifications notify office ombudsman operations ops order orders',
    'owner partner partners partnerships payments payroll people postmaster pr press privacy procurement purchasing',
    'reception recruiting recruitment registrar reply replyto request requests returns root sales security service',
    'servicedesk services shop spam staff status subscribe subscriptions support survey sysadmin system team teams tech',
    'techsupport test testing ticket tickets training unsubscribe usenet uucp web webadmin webmail webmaster welcome www',
    'anfrage anfragen bewerbung bewerbungen buchhaltung buero datenschutz einkauf empfang karriere kontakt kundenservice',
    'mitarbeiter poststelle presse rechnung rechnungen sekretariat verkauf vertrieb verwaltung zentrale accueil bonjour',
    'comptabilite contacto contatto empleo facturation ventas ventes',
  ].flatMap((line) => line.split(' ')),
)

const NO_REPLY = /^(?:no|do[._-]?not)[._-]?reply/

/**
 * The company of a person, by the confirmed address in the form of `parseEmail`: the exact domain, so that a sub-domain is a
 * company of its own. Null, which means no company and so no colleagues, where the address proves none: with a `+`
 * tag, at a shared mailbox (also `support-123`, `tickets.42`, `hr_berlin`), and at a host of free mail or below it, or,
 * where the operator has a list of companies, at whatever is not on it.
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
  // The first word decides, because help desks append what they like: a number, a random code, a country.
  const firstWord = local.split(/[^a-z]+/).find((word) => word !== '')
  return NO_REPLY.test(local) || (firstWord !== undefined && SHARED_MAILBOXES.has(firstWord))
}

/** `mail.acme.com` gives `mail.acme.com`, `acme.com` and `com`. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
