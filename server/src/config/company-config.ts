import { printable } from '../lib/printable.ts'
import { isLoopback } from './loopback.ts'
import type { Environment } from './settings-table.ts'

/** The identity provider of the company in the settings. */
export interface CompanyConfig {
  issuer: string
  clientId: string
  clientSecret: string
  /** Normal. The first one is the key in the callback address. */
  domains: string[]
  name: string
  onlySso: boolean
  trustsEmail: boolean
}

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_DOMAINS'] as const
const OPTIONAL = ['OIDC_NAME', 'OIDC_ONLY', 'OIDC_TRUST_EMAIL'] as const

/** The hosts of Microsoft, and their issuers that accept accounts of any organization: anyone could make one with any address. */
const MICROSOFT = /^login\.microsoftonline\.(com|us)$/
const SHARED_TENANTS = ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad']

const MAX_NAME_CHARACTERS = 64

/**
 * Parses the settings of the company's identity provider; null if none is set. Throws one sentence if some are missing or invalid.
 * `readDomains` parses a list of domains. The list of free-mail domains is checked later, since it is in a file.
 */
export function readCompany(
  env: Environment,
  companyDomains: ReadonlySet<string> | null,
  readDomains: (name: string, text: string) => ReadonlySet<string>,
): CompanyConfig | null {
  const missing = REQUIRED.filter((name) => !env[name])
  const given = [...REQUIRED, ...OPTIONAL].filter((name) => env[name])
  if (given.length === 0) return null
  if (missing.length > 0) throw new Error(`Set ${missing.join(', ')} too, or remove ${given.join(', ')}.`)
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '', OIDC_DOMAINS = '' } = env
  const domains = [...readDomains('OIDC_DOMAINS', OIDC_DOMAINS)]
  const [key] = domains
  if (key === undefined) throw new Error(`OIDC_DOMAINS must be a list of domains such as example.com.`)
  const outside = companyDomains && domains.find((domain) => !companyDomains.has(domain))
  if (outside) throw new Error(`OIDC_DOMAINS: ${outside} must be in COMPANY_DOMAINS too.`)
  return {
    issuer: requireIssuer('OIDC_ISSUER', OIDC_ISSUER),
    clientId: requireText('OIDC_CLIENT_ID', OIDC_CLIENT_ID),
    clientSecret: requireText('OIDC_CLIENT_SECRET', OIDC_CLIENT_SECRET),
    domains,
    name: requireCompanyName('OIDC_NAME', env.OIDC_NAME || key),
    onlySso: readYesOrNo('OIDC_ONLY', env.OIDC_ONLY),
    trustsEmail: readYesOrNo('OIDC_TRUST_EMAIL', env.OIDC_TRUST_EMAIL),
  }
}

/**
 * Checks the issuer of an identity provider: https, except on this machine, and not one that many organizations share. Throws one
 * sentence that begins with `name`.
 */
export function requireIssuer(name: string, text: string): string {
  if (!URL.canParse(text)) throw new Error(`${name} must be a URL such as https://login.example.com.`)
  const { protocol, hostname, pathname, username, password, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  if (!isSafe || username || password || search || hash) {
    // Does not quote it: it may contain a password.
    throw new Error(`${name} must begin with https:// and have no user name, ? or #.`)
  }
  if (MICROSOFT.test(hostname) && SHARED_TENANTS.includes(pathname.split('/')[1] ?? '')) {
    throw new Error(`${name} must name the tenant of one company: ${text} accepts accounts of every organization.`)
  }
  return text
}

/** Checks the name of a company that the sign-in page shows. Throws one sentence that begins with `what`. */
export function requireCompanyName(what: string, text: string): string {
  const name = text.trim()
  if (name !== '' && name.length <= MAX_NAME_CHARACTERS && !/\p{C}/u.test(name)) return name
  throw new Error(`${what} must have 1 to ${MAX_NAME_CHARACTERS} characters.`)
}

/** Checks a client id or secret. Throws one sentence that begins with `what` and does not quote the text. */
export function requireText(what: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= 1024 && trimmed === printable(trimmed)) return trimmed
  throw new Error(`${what} must have 1 to 1024 characters.`)
}

function readYesOrNo(name: string, text: string | undefined): boolean {
  if (!text || text === 'yes' || text === 'no') return text === 'yes'
  throw new Error(`${name} must be yes or no, not "${text}".`)
}
