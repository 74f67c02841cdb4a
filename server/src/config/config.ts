import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { MAX_CIRCLE_SIZE } from '@deeb/core/circles/circle'
import { BLUR } from '@deeb/core/report/figures'
import { isAddressRange } from '../outside/public-address.ts'
import { type ChatConfig, readChat } from './chat-config.ts'
import { type CompanyConfig, readCompany } from './company-config.ts'
import { isLoopback } from './loopback.ts'
import { type Environment, SETTINGS } from './settings-table.ts'

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

/** The report of each company. */
export interface ReportConfig {
  /** Off: no week is counted, and nothing is shown. */
  isOn: boolean
  /** The mean size of the noise, in people. */
  blur: number
  /** Whether the share of people who reach their goals is counted and shown. */
  hasGoals: boolean
}

/** The settings of the environment, parsed. */
export interface Config {
  port: number
  host: string
  dataDir: string
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** The same database without a pooler in between: for LISTEN, migrations and commands. Null with the embedded one. */
  databaseDirectUrl: string | null
  /** Origin of every link in an email, without a slash at the end. */
  publicUrl: string
  /** False: requests for a page at 127.0.0.1 are redirected to localhost. */
  publicUrlIsSet: boolean
  /** Null: emails are written to `dataDir`/outbox. */
  smtpUrl: string | null
  mailFrom: string
  /** `local`: also to push services on this machine. */
  push: PushMode
  /** Whether people can have webhooks. */
  webhooks: boolean
  /** Ranges of private addresses that people may name for the server to call. */
  webhookAllow: string[]
  /** The chat systems in which people can show deeb mode. */
  chat: ChatConfig
  /** Whether people may create accounts by themselves. */
  isSignUpOn: boolean
  /** Minimum number of characters of a new password. */
  passwordMinLength: number
  argon2: Argon2Cost
  /** Null: generated at the first start and stored in `dataDir`/secret. */
  secret: string | null
  /** A second secret during a rotation: what it signed and sealed is still accepted. Null otherwise. */
  oldSecret: string | null
  /** The proxies whose `X-Forwarded-For` is trusted: addresses, ranges, or Fastify's names for ranges. */
  trustProxy: false | string[]
  /** Null: every domain that is not free mail is a company. */
  companyDomains: ReadonlySet<string> | null
  /** Free-mail domains beyond the bundled list. */
  freeMailDomains: ReadonlySet<string>
  /** At most this many people are in a circle. 0: there are no circles. */
  circleSize: number
  /** Focus sessions are purged after this many months. Null: they are kept as long as the account. */
  sessionsKeptMonths: number | null
  report: ReportConfig
  /** The identity provider of the company. Null: companies are set up with `npm run admin -- company`, or none. */
  company: CompanyConfig | null
  /** The native apps of this server, which may call it and open the links in its emails. Null: there is none. */
  androidApp: AndroidApp | null
  /** Team and bundle. */
  iosAppId: string | null
  /** The folder with texts of the administrator for the public pages. Null: there are none. */
  siteDir: string | null
  /** Where the public pages show the platform in action. Null: they lead to /coming-soon. */
  demoUrl: string | null
  logLevel: LogLevel
  /** Required by GET /metrics. Null: it answers this machine only, and only if `publicUrl` names this machine. */
  metricsToken: string | null
}

const PUSH_MODES = ['on', 'off', 'local'] as const
/** Whether the server sends push messages. */
type PushMode = (typeof PUSH_MODES)[number]

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
/** `info` adds a line per response. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Parses the environment; no other code reads settings. Throws one sentence that names the variable if a value is invalid. */
export function readConfig(env: Environment): Config {
  const port = readWholeNumber('PORT', env.PORT || SETTINGS.PORT.default, { from: 1, to: 65_535 })
  const publicUrl = readPublicUrl(env.PUBLIC_URL) ?? `http://localhost:${port}`
  const companyDomains = readCompanyDomains(env.COMPANY_DOMAINS)
  const databaseUrl = readServiceUrl('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:'])
  return {
    port,
    host: env.HOST || SETTINGS.HOST.default,
    dataDir: resolve(env.DATA_DIR || SETTINGS.DATA_DIR.default),
    databaseUrl,
    databaseDirectUrl: readDirectUrl(env.DATABASE_DIRECT_URL, databaseUrl),
    publicUrl,
    publicUrlIsSet: Boolean(env.PUBLIC_URL),
    smtpUrl: readSmtpUrl(env.SMTP_URL),
    mailFrom: readMailFrom(env.MAIL_FROM || `deeb <deeb@${new URL(publicUrl).hostname}>`),
    push: readOneOf('PUSH', env.PUSH || SETTINGS.PUSH.default, PUSH_MODES),
    webhooks: readSwitch('WEBHOOKS', env.WEBHOOKS || SETTINGS.WEBHOOKS.default),
    webhookAllow: readWebhookAllow(env.WEBHOOK_ALLOW),
    chat: readChat(env, readSwitch),
    isSignUpOn: readSwitch('SIGN_UP', env.SIGN_UP || SETTINGS.SIGN_UP.default),
    passwordMinLength: readWholeNumber(
      'PASSWORD_MIN_LENGTH',
      env.PASSWORD_MIN_LENGTH || SETTINGS.PASSWORD_MIN_LENGTH.default,
      { from: 8, to: 64 },
    ),
    argon2: readArgon2(env.AUTH_ARGON2 || SETTINGS.AUTH_ARGON2.default),
    secret: readSecret('DEEB_SECRET', env.DEEB_SECRET),
    oldSecret: readSecret('DEEB_SECRET_OLD', env.DEEB_SECRET_OLD),
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    companyDomains,
    freeMailDomains: readDomains('FREE_MAIL_DOMAINS', env.FREE_MAIL_DOMAINS ?? ''),
    circleSize: readWholeNumber('CIRCLE_SIZE', env.CIRCLE_SIZE || SETTINGS.CIRCLE_SIZE.default, {
      from: 0,
      to: MAX_CIRCLE_SIZE,
    }),
    sessionsKeptMonths: env.SESSIONS_KEPT_MONTHS
      ? readWholeNumber('SESSIONS_KEPT_MONTHS', env.SESSIONS_KEPT_MONTHS, { from: 2, to: 120 })
      : null,
    report: {
      isOn: readSwitch('COMPANY_REPORT', env.COMPANY_REPORT || SETTINGS.COMPANY_REPORT.default),
      blur: readWholeNumber('REPORT_BLUR', env.REPORT_BLUR || SETTINGS.REPORT_BLUR.default, BLUR),
      hasGoals: readSwitch('REPORT_GOALS', env.REPORT_GOALS || SETTINGS.REPORT_GOALS.default),
    },
    company: readCompany(env, companyDomains, readDomains),
    androidApp: readAndroidApp(env.ANDROID_APP),
    iosAppId: readIosAppId(env.IOS_APP_ID),
    siteDir: env.SITE_DIR ? resolve(env.SITE_DIR) : null,
    demoUrl: readDemoUrl(env.DEMO_URL),
    logLevel: readOneOf('LOG_LEVEL', env.LOG_LEVEL || SETTINGS.LOG_LEVEL.default, LOG_LEVELS),
    metricsToken: readToken('METRICS_TOKEN', env.METRICS_TOKEN),
  }
}

function readWholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= from && number <= to) return number
  throw new Error(`${name} must be a whole number from ${from} to ${to}, not "${text}".`)
}

function readSwitch(name: string, text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new Error(`${name} must be on or off, not "${text}".`)
}

function readUrl(name: string, text: string | undefined, protocols: string[]): string | null {
  if (!text) return null
  const begins = protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))
  if (begins && URL.canParse(text)) return text
  throw new Error(`${name} must be a URL that begins with ${protocols.join('// or ')}//.`)
}

function readDirectUrl(value: string | undefined, databaseUrl: string | null): string | null {
  const directUrl = readServiceUrl('DATABASE_DIRECT_URL', value, ['postgres:', 'postgresql:'])
  if (directUrl !== null && databaseUrl === null)
    throw new Error('DATABASE_DIRECT_URL is set, but DATABASE_URL is not.')
  return directUrl ?? databaseUrl
}

/** Rejects an unescaped `/`, `#` or `?` in the user name or password: the URL would parse to another host. */
function readServiceUrl(name: string, text: string | undefined, protocols: string[]): string | null {
  if (!/\/\/.*[/#?].*@/.test(text ?? '')) return readUrl(name, text, protocols)
  throw new Error(`${name} must have / as %2F, # as %23 and ? as %3F in its name and password.`)
}

function readSmtpUrl(text: string | undefined): string | null {
  const url = readServiceUrl('SMTP_URL', text, ['smtp:', 'smtps:'])
  if (url === null || new URL(url).hostname) return url
  throw new Error('SMTP_URL must name a mail server, as in smtp://user:password@mail.example.com:587.')
}

function readOneOf<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((word) => word === text)
  if (word) return word
  throw new Error(`${name} must be ${words.join(', ')}, not "${text}".`)
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

/** Rejects a user name and a password: every visitor could read them. */
function readDemoUrl(text: string | undefined): string | null {
  const url = readUrl('DEMO_URL', text, ['http:', 'https:'])
  if (url === null) return null
  const { protocol, hostname, username, password, href } = new URL(url)
  if ((protocol === 'https:' || isLoopback(hostname)) && !username && !password) return href
  throw new Error('DEMO_URL must begin with https://, or with http:// on this machine, and contain no password.')
}

/** Min: what OWASP recommends as the minimum. Max: above it, each sign-in takes seconds. */
function readArgon2(text: string): Argon2Cost {
  const [, memoryKiB = 0, passes = 0, threads = 0] = (/^(\d+),(\d+),(\d+)$/.exec(text) ?? []).map(Number)
  const isStrong = memoryKiB >= 7168 && memoryKiB * passes >= 7168 * 5
  const isAffordable = memoryKiB <= 1_048_576 && memoryKiB * passes <= 4_194_304 && threads >= 1 && threads <= 16
  if (isStrong && isAffordable) return { memoryKiB, passes, threads }
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
 * Accepts neither "true" nor a number of hops. With those, a client that reaches the server without the proxy could forge
 * its address and evade every rate limit.
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

function readWebhookAllow(text: string | undefined): string[] {
  const ranges = (text ?? '').split(/[\s,]+/).filter(Boolean)
  const wrong = ranges.find((range) => !isAddressRange(range))
  if (wrong) throw new Error(`WEBHOOK_ALLOW must be ranges of addresses such as 10.0.0.0/8, not "${wrong}".`)
  return ranges
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

/** Rejects an empty list: no domain would be a company, and new accounts would stay without one. */
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
