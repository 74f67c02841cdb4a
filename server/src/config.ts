import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** The cost of one password hash, by argon2id. */
export interface Argon2Cost {
  memoryKiB: number
  passes: number
  threads: number
}

/** An app in Google Play: its package, and the SHA-256 fingerprints of the certificates that sign it. */
export interface AndroidApp {
  packageName: string
  fingerprints: string[]
}

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
  /** Fewest characters of a new password. */
  passwordMinLength: number
  argon2: Argon2Cost
  /** Null: made at the first start and kept in `dataDir`/secret. */
  secret: string | null
  /** The secret before it, whose tokens still count; null except while they are exchanged. */
  oldSecret: string | null
  /** The proxies whose word counts on where a request comes from: addresses, ranges, or Fastify's names of some. */
  trustProxy: false | string[]
  /** Null: every domain that is not free mail is a company. */
  companyDomains: ReadonlySet<string> | null
  /** Free-mail domains beyond the bundled list. */
  freeMailDomains: ReadonlySet<string>
  /** The native apps made for this server, which may call it and open its mails' links; null: there is none. */
  androidApp: AndroidApp | null
  /** Team and bundle. */
  iosAppId: string | null
  logLevel: LogLevel
  /** What GET /metrics asks for; null: it answers on this machine alone, and only if `publicUrl` is of this machine. */
  metricsToken: string | null
  /** How many processes serve. */
  webConcurrency: number
}

const LOG_LEVELS = ['error', 'warn', 'info'] as const
/** `warn` tells of what went wrong, `info` of each answer too. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Reads the environment; nothing else does. Throws one plain sentence for a value that makes no sense. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const port = readWholeNumber('PORT', env.PORT || '3000', { from: 1, to: 65_535 })
  const publicUrl = readPublicUrl(env.PUBLIC_URL) ?? `http://localhost:${port}`
  return {
    port,
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl: readServiceUrl('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:']),
    publicUrl,
    publicUrlIsSet: Boolean(env.PUBLIC_URL),
    smtpUrl: readSmtpUrl(env.SMTP_URL),
    mailFrom: readMailFrom(env.MAIL_FROM || `deeb <deeb@${new URL(publicUrl).hostname}>`),
    passwordMinLength: readWholeNumber('PASSWORD_MIN_LENGTH', env.PASSWORD_MIN_LENGTH || '8', { from: 8, to: 64 }),
    argon2: readArgon2(env.AUTH_ARGON2 || '19456,2,1'),
    secret: readSecret('DEEB_SECRET', env.DEEB_SECRET),
    oldSecret: readSecret('DEEB_SECRET_OLD', env.DEEB_SECRET_OLD),
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    companyDomains: readCompanyDomains(env.COMPANY_DOMAINS),
    freeMailDomains: readDomains('FREE_MAIL_DOMAINS', env.FREE_MAIL_DOMAINS ?? ''),
    androidApp: readAndroidApp(env.ANDROID_APP),
    iosAppId: readIosAppId(env.IOS_APP_ID),
    logLevel: readLogLevel(env.LOG_LEVEL || 'warn'),
    metricsToken: readToken('METRICS_TOKEN', env.METRICS_TOKEN),
    webConcurrency: readWebConcurrency(env),
  }
}

function readWholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= from && number <= to) return number
  throw new Error(`${name} must be a whole number from ${from} to ${to}, not "${text}".`)
}

function readWebConcurrency({ DATABASE_URL, WEB_CONCURRENCY }: NodeJS.ProcessEnv): number {
  const processes = readWholeNumber('WEB_CONCURRENCY', WEB_CONCURRENCY || '1', { from: 1, to: 64 })
  if (processes === 1 || DATABASE_URL) return processes
  throw new Error(`WEB_CONCURRENCY=${processes} needs DATABASE_URL: the embedded database belongs to one process.`)
}

function readUrl(name: string, text: string | undefined, protocols: string[]): string | null {
  if (!text) return null
  const begins = protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))
  if (begins && URL.canParse(text)) return text
  throw new Error(`${name} must be a URL that begins with ${protocols.join('// or ')}//.`)
}

/** Of a service with a name and a password: what ends the part of a URL that these are in would lead to another host. */
function readServiceUrl(name: string, text: string | undefined, protocols: string[]): string | null {
  if (!/\/\/.*[/#?].*@/.test(text ?? '')) return readUrl(name, text, protocols)
  throw new Error(`${name} must have / as %2F, # as %23 and ? as %3F in its name and password.`)
}

function readSmtpUrl(text: string | undefined): string | null {
  const url = readServiceUrl('SMTP_URL', text, ['smtp:', 'smtps:'])
  if (url === null || new URL(url).hostname) return url
  throw new Error('SMTP_URL must name a mail server, as in smtp://user:password@mail.example.com:587.')
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((level) => level === text)
  if (level) return level
  throw new Error(`LOG_LEVEL must be ${LOG_LEVELS.join(', ')}, not "${text}".`)
}

function readMailFrom(text: string): string {
  if (/^([^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text)) return text
  throw new Error(`MAIL_FROM must be an address such as "deeb <deeb@example.com>", not "${text}".`)
}

function readPublicUrl(text: string | undefined): string | null {
  const url = readUrl('PUBLIC_URL', text, ['http:', 'https:'])
  if (url === null) return null
  const { origin, pathname, search, hash } = new URL(url)
  if (pathname === '/' && !search && !hash) return origin
  throw new Error(`PUBLIC_URL must be an origin such as https://deeb.example.com, without a path.`)
}

/** Not below what OWASP calls the least, nor above what makes each sign-in wait for seconds. */
function readArgon2(text: string): Argon2Cost {
  const [, memoryKiB = 0, passes = 0, threads = 0] = (/^(\d+),(\d+),(\d+)$/.exec(text) ?? []).map(Number)
  const isStrong = memoryKiB >= 7168 && memoryKiB * passes >= 7168 * 5
  const isBearable = memoryKiB <= 1_048_576 && memoryKiB * passes <= 4_194_304 && threads >= 1 && threads <= 16
  if (isStrong && isBearable) return { memoryKiB, passes, threads }
  throw new Error(
    `AUTH_ARGON2 must be KiB of memory, passes and threads such as 19456,2,1, not weaker than 7168,5,1, not "${text}".`,
  )
}

function readSecret(name: string, text: string | undefined): string | null {
  if (!text) return null
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new Error(`${name} must be 64 hexadecimal digits. Make one with: openssl rand -hex 32`)
}

function readToken(name: string, text: string | undefined): string | null {
  if (!text) return null
  if (/^[\x21-\x7e]{16,}$/.test(text)) return text
  throw new Error(`${name} must have at least 16 characters and no space. Make one with: openssl rand -hex 32`)
}

/**
 * Neither "true" nor a number of hops: whoever reaches the server past the proxy could then send a header and be anybody,
 * and no limit would hold.
 */
function readTrustProxy(text: string | undefined): false | string[] {
  if (!text) return false
  const ranges = text.split(/[\s,]+/).filter(Boolean)
  if (ranges.length > 0 && ranges.every(isRange)) return ranges
  throw new Error(
    `TRUST_PROXY must be addresses of proxies such as 10.0.0.0/8, loopback or uniquelocal, not "${text}".`,
  )
}

function isRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits] = text.split('/', 2)
  const version = isIP(address)
  if (version === 0 || bits === undefined) return version !== 0
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
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

/** None would be no company at all, and whoever joins meanwhile would stay without one. */
function readCompanyDomains(text: string | undefined): ReadonlySet<string> | null {
  if (!text) return null
  const domains = readDomains('COMPANY_DOMAINS', text)
  if (domains.size > 0) return domains
  throw new Error(`COMPANY_DOMAINS must be a list of domains such as example.com, not "${text}".`)
}

const PACKAGE = /^[a-z]\w*(\.[a-z]\w*)+$/i
const FINGERPRINT = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/

function readAndroidApp(text: string | undefined): AndroidApp | null {
  if (!text) return null
  const [packageName = '', list = ''] = text.trim().split(/\s+(.*)/s, 2)
  const fingerprints = list
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const areGood = fingerprints.length > 0 && fingerprints.every((fingerprint) => FINGERPRINT.test(fingerprint))
  if (PACKAGE.test(packageName) && areGood) return { packageName, fingerprints }
  throw new Error(
    `ANDROID_APP must be a package and the SHA-256 fingerprints of its certificates such as "com.example.deeb 0A:1B:...", not "${text}".`,
  )
}

function readIosAppId(text: string | undefined): string | null {
  if (!text) return null
  if (/^[A-Z0-9]{10}\.[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) return text
  throw new Error(`IOS_APP_ID must be a team and a bundle such as ABCDE12345.com.example.deeb, not "${text}".`)
}
