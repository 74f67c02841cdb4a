import { resolve } from 'node:path'

/** What the operator may set, parsed once. */
export interface Config {
  port: number
  host: string
  dataDir: string
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** Origin of every link in a mail, without a slash at the end. */
  publicUrl: string
  /** True if the operator named it: then no address is redirected. */
  publicUrlIsSet: boolean
  /** Null: mail is written to `dataDir`/outbox. */
  smtpUrl: string | null
  mailFrom: string
  /** Null: made at the first start and kept in `dataDir`/secret. */
  secret: string | null
  /** Null: every domain that is not free mail is a company. */
  companyDomains: ReadonlySet<string> | null
  /** Free-mail domains beyond the bundled list. */
  freeMailDomains: ReadonlySet<string>
}

/** Reads the environment; nothing else does. Throws one plain sentence for a value that makes no sense. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const port = readPort(env.PORT)
  return {
    port,
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl: readUrl('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:']),
    publicUrl: readPublicUrl(env.PUBLIC_URL) ?? `http://localhost:${port}`,
    publicUrlIsSet: Boolean(env.PUBLIC_URL),
    smtpUrl: readUrl('SMTP_URL', env.SMTP_URL, ['smtp:', 'smtps:']),
    mailFrom: env.MAIL_FROM || 'deeb <deeb@localhost>',
    secret: readSecret(env.DEEB_SECRET),
    companyDomains: env.COMPANY_DOMAINS ? readDomains('COMPANY_DOMAINS', env.COMPANY_DOMAINS) : null,
    freeMailDomains: readDomains('FREE_MAIL_DOMAINS', env.FREE_MAIL_DOMAINS ?? ''),
  }
}

function readPort(text = '3000'): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new Error(`PORT must be a whole number from 1 to 65535, not "${text}".`)
}

function readUrl(name: string, text: string | undefined, protocols: string[]): string | null {
  if (!text) return null
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  throw new Error(`${name} must be a URL that begins with ${protocols.join('// or ')}//.`)
}

function readPublicUrl(text: string | undefined): string | null {
  const url = readUrl('PUBLIC_URL', text, ['http:', 'https:'])
  if (url === null) return null
  const { origin, pathname, search, hash } = new URL(url)
  if (pathname === '/' && !search && !hash) return origin
  throw new Error(`PUBLIC_URL must be an origin such as https://deeb.example.com, without a path.`)
}

function readSecret(text: string | undefined): string | null {
  if (!text) return null
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new Error('DEEB_SECRET must be 64 hexadecimal digits. Make one with: openssl rand -hex 32')
}

function readDomains(name: string, text: string): ReadonlySet<string> {
  const domains = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((domain) => domain.toLowerCase())
  const wrong = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (wrong) throw new Error(`${name} must be a list of domains such as example.com, not "${wrong}".`)
  return new Set(domains)
}
