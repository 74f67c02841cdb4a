/** One environment variable, as `readConfig` reads it and as docs/operate/settings.md describes it. */
export interface Setting {
  group: string
  /** The value that is used without the variable. */
  default?: string
  /** The effect of a missing variable that has no default value. */
  without?: string
  /** The meaning of the value, and its form. */
  what: string
  /** Its value is a secret or contains one, so it is never printed. */
  isSecret?: true
  /** It changes what is collected, how long it is kept, who sees it or where it goes. */
  needsAgreement?: true
}

const LISTENING = 'Address and listening'
const DATA = 'Data'
const EMAIL = 'Email'
const PUSH = 'Push messages'
const OUTSIDE = 'Other servers'
const CHAT = 'Status in chat'
const SECRETS = 'Secrets'
const SIGN_IN = 'Passwords and sign-up'
const COMPANIES = 'Companies'
const COMPANY_SIGN_IN = 'Company sign-in'
const PUBLIC_PAGES = 'Public pages'
const NATIVE_APPS = 'Native apps'
const MONITORING = 'Monitoring'

const ROTATION = '[Rotate the secret](self-hosting.md#rotate-the-secret)'

/** Every setting of the server. docs/operate/settings.md is generated from it: `npm run tables`. */
export const SETTINGS = {
  PORT: { group: LISTENING, default: '3000', what: 'The port that the server listens on, 1 to 65535.' },
  HOST: {
    group: LISTENING,
    default: '127.0.0.1',
    what: 'The address that the server listens on. With `0.0.0.0` it accepts connections from other machines.',
  },
  PUBLIC_URL: {
    group: LISTENING,
    without: '`http://localhost:PORT`',
    what: 'The address that people open in the browser, such as `https://deeb.example.com`, without a path. Links in emails start with it. Passkeys need https (or localhost) and a host name, and belong to this host: with another one nobody can use theirs.',
  },
  TRUST_PROXY: {
    group: LISTENING,
    without: 'no proxy is trusted',
    what: 'The addresses of your reverse proxies, separated by commas: `10.0.0.5`, `10.0.0.0/24`, or `loopback` for a proxy on this machine. The server uses `X-Forwarded-For` from these addresses only. Required behind a proxy: without it all people share the address of the proxy and its rate limits.',
  },
  DATA_DIR: {
    group: DATA,
    default: './data',
    what: 'The folder of the embedded database, of the generated secret, and of the emails of a server without `SMTP_URL`.',
  },
  DATABASE_URL: {
    group: DATA,
    isSecret: true,
    without: 'the embedded database in `DATA_DIR`',
    what: 'A PostgreSQL database, version 15 or newer: `postgresql://user:password@host/database`. Its extensions `pg_trgm`, `btree_gin` and `btree_gist` must be installed (on some systems the package `postgresql-contrib`), and the user must be allowed to create them. In the user name and password write `/`, `#` and `?` as `%2F`, `%23` and `%3F`.',
  },
  DATABASE_DIRECT_URL: {
    group: DATA,
    isSecret: true,
    without: '`DATABASE_URL`',
    what: 'The same database without a connection pooler in between, if `DATABASE_URL` names one: for LISTEN, migrations and the administration commands. See [With a pooler](self-hosting.md#with-a-pooler).',
  },
  SESSIONS_KEPT_MONTHS: {
    group: DATA,
    needsAgreement: true,
    without: 'focus sessions are kept as long as the account',
    what: 'How many months focus sessions are kept, 2 to 120: see [Old focus sessions](self-hosting.md#old-focus-sessions). The totals of days and weeks stay. A lower value deletes more at the next purge, within an hour; a higher one brings nothing back.',
  },
  SMTP_URL: {
    group: EMAIL,
    isSecret: true,
    without: 'emails become files in `DATA_DIR/outbox`',
    what: 'The mail server: `smtp://user:password@mail.example.com:587`, with special characters as in `DATABASE_URL`. The connection must be encrypted and the certificate trusted, unless the mail server is on this machine.',
  },
  MAIL_FROM: {
    group: EMAIL,
    without: '`deeb <deeb@HOST>`, with the host of `PUBLIC_URL`',
    what: 'The sender of all emails, such as `deeb <deeb@example.com>`. The mail server must accept this address.',
  },
  PUSH: {
    group: PUSH,
    needsAgreement: true,
    default: 'on',
    what: '`on` offers push messages: the server then calls the [push services of the browsers](self-hosting.md#push-messages) by https. `off` offers none. `local` is `on` with push services on this machine too, by http or https, for tests and development.',
  },
  WEBHOOKS: {
    group: OUTSIDE,
    needsAgreement: true,
    default: 'on',
    what: '`on`: people can add [webhooks](../use/webhooks.md), by which the server sends their own focus times to a URL of their choice. `off`: none is sent, and none can be added.',
  },
  WEBHOOK_ALLOW: {
    group: OUTSIDE,
    needsAgreement: true,
    without: 'the server calls public addresses only, by https',
    what: 'Private networks in which people may name servers for deeb to call, separated by commas: `10.0.0.0/8, fd00::/8`. There also by http. Anyone with an account can then send requests to all ports of these networks, but sees no response. Leave out the addresses of this machine, of cloud metadata (`169.254.0.0/16`) and of servers that trust their network. Host names are looked up by DNS, not in `/etc/hosts`.',
  },
  SLACK_CLIENT_ID: {
    group: CHAT,
    needsAgreement: true,
    without: 'Slack is not offered',
    what: 'The id of your Slack app. People can then connect Slack, which shows their deeb mode there: [Status in chat](../use/status-in-chat.md) has the steps for each system, and who sees what.',
  },
  SLACK_CLIENT_SECRET: {
    group: CHAT,
    isSecret: true,
    without: 'required by `SLACK_CLIENT_ID`',
    what: 'The secret of that app.',
  },
  SLACK_URL: {
    group: CHAT,
    default: 'https://slack.com',
    what: 'The address of Slack; for GovSlack `https://slack-gov.com`.',
  },
  MICROSOFT_CLIENT_ID: {
    group: CHAT,
    needsAgreement: true,
    without: 'Microsoft Teams is not offered',
    what: 'The id of your application at Microsoft Entra. People can then connect Microsoft Teams.',
  },
  MICROSOFT_CLIENT_SECRET: {
    group: CHAT,
    isSecret: true,
    without: 'required by `MICROSOFT_CLIENT_ID`',
    what: 'The secret of that application. Entra lets it expire; nobody is disconnected by that.',
  },
  MICROSOFT_TENANT: {
    group: CHAT,
    default: 'organizations',
    what: 'The id of your tenant if only its people may connect Microsoft Teams; `organizations` for those of every tenant.',
  },
  GOOGLE_CLIENT_ID: {
    group: CHAT,
    needsAgreement: true,
    without: 'Google Chat is not offered',
    what: 'The id of your OAuth client at Google Cloud. People can then connect Google Chat.',
  },
  GOOGLE_CLIENT_SECRET: {
    group: CHAT,
    isSecret: true,
    without: 'required by `GOOGLE_CLIENT_ID`',
    what: 'The secret of that client.',
  },
  MATTERMOST: {
    group: CHAT,
    needsAgreement: true,
    default: 'off',
    what: '`on`: people can connect Mattermost by the address of its server and a personal access token. The server of deeb then calls addresses that people type: public ones, and those of `WEBHOOK_ALLOW`.',
  },
  ZULIP: {
    group: CHAT,
    needsAgreement: true,
    default: 'off',
    what: '`on`: people can connect Zulip by the address of its server and their API key. The server of deeb then calls addresses that people type, as for `MATTERMOST`.',
  },
  DEEB_SECRET: {
    group: SECRETS,
    isSecret: true,
    without: 'generated at the first start, stored in `DATA_DIR/secret`',
    what: `64 hexadecimal digits, from which all keys are derived. Generate it with \`openssl rand -hex 32\`. To change it, follow ${ROTATION}.`,
  },
  DEEB_SECRET_OLD: {
    group: SECRETS,
    isSecret: true,
    without: 'none',
    what: `A second secret that the server accepts while you change \`DEEB_SECRET\`. Set and remove it only as ${ROTATION} says.`,
  },
  SIGN_UP: {
    group: SIGN_IN,
    needsAgreement: true,
    default: 'on',
    what: '`off`: nobody can create an account on the sign-up page, nor confirm a sign-up from before by its link. `npm run admin -- user confirm` still does. For a server whose people sign in with their company account.',
  },
  PASSWORD_MIN_LENGTH: {
    group: SIGN_IN,
    default: '8',
    what: 'The minimum length of a new password, 8 to 64 characters. NIST advises 15 where the password is the only factor.',
  },
  AUTH_ARGON2: {
    group: SIGN_IN,
    default: '19456,2,1',
    what: 'The cost of an argon2id password hash: KiB of memory, passes, threads. `65536,3,1` is stronger and slower; the minimum is `7168,5,1`. After a change each hash keeps its cost until its owner signs in; until then every sign-in computes one hash of each cost in use, so that its time does not reveal which accounts exist.',
  },
  COMPANY_DOMAINS: {
    group: COMPANIES,
    needsAgreement: true,
    without: 'every domain that is not free mail is a company',
    what: 'The email domains that are companies, separated by commas. Recommended on a public server. A change applies to addresses that are confirmed from then on; `npm run admin -- companies apply` applies it to all accounts, once every server has the new value.',
  },
  FREE_MAIL_DOMAINS: {
    group: COMPANIES,
    without: 'the bundled list alone',
    what: 'More email domains that are not companies, separated by commas, in addition to the bundled list. A change applies as for `COMPANY_DOMAINS`.',
  },
  CIRCLE_SIZE: {
    group: COMPANIES,
    needsAgreement: true,
    default: '50',
    what: 'The most people of a company who can be in one circle, 0 to 150. With a lower value nobody is removed, but nobody joins either. With 0 there are no circles: those that exist are kept, but nobody sees anybody through them.',
  },
  COMPANY_REPORT: {
    group: COMPANIES,
    needsAgreement: true,
    default: 'on',
    what: '`on`: once a company has ten accounts, its weeks are counted from the next Monday on that is two days away or more, for the page "Your company", which everybody there sees. `off`: no week is counted, also not later, and nothing is shown.',
  },
  REPORT_BLUR: {
    group: COMPANIES,
    needsAgreement: true,
    default: '4',
    what: 'By how many people chance moves the numbers of a week before they are saved, on average, 4 to 50. A higher value protects better, and small companies see less. It applies to weeks that are counted from then on.',
  },
  REPORT_GOALS: {
    group: COMPANIES,
    needsAgreement: true,
    default: 'on',
    what: '`off`: how many people reach their weekly goal is neither counted nor shown.',
  },
  OIDC_ISSUER: {
    group: COMPANY_SIGN_IN,
    needsAgreement: true,
    without: 'no company sign-in, unless `npm run admin -- company add` sets it up',
    what: "The address of your company's identity provider (OpenID Connect), such as `https://login.microsoftonline.com/TENANT/v2.0`. It needs the three settings below. [Company sign-in](../use/company-sign-in.md) has the steps for Entra, Okta, Google and Keycloak.",
  },
  OIDC_CLIENT_ID: {
    group: COMPANY_SIGN_IN,
    without: 'required by `OIDC_ISSUER`',
    what: 'The id of the application that you registered for deeb at the identity provider.',
  },
  OIDC_CLIENT_SECRET: {
    group: COMPANY_SIGN_IN,
    isSecret: true,
    without: 'required by `OIDC_ISSUER`',
    what: 'The secret of that application. The database stores it encrypted.',
  },
  OIDC_DOMAINS: {
    group: COMPANY_SIGN_IN,
    without: 'required by `OIDC_ISSUER`',
    what: 'The email domains of your company, separated by commas: only for them the identity provider is believed. The first one is part of the redirect URI, `PUBLIC_URL/auth/v1/callback/DOMAIN`. Free-mail domains are refused, and with `COMPANY_DOMAINS` each must be in both.',
  },
  OIDC_NAME: {
    group: COMPANY_SIGN_IN,
    without: 'the first domain',
    what: 'The name of your company on the button "Continue with NAME".',
  },
  OIDC_ONLY: {
    group: COMPANY_SIGN_IN,
    needsAgreement: true,
    default: 'no',
    what: '`yes`: people of these domains sign in by the identity provider only. Those who signed in another way are signed out when it is switched on.',
  },
  OIDC_TRUST_EMAIL: {
    group: COMPANY_SIGN_IN,
    default: 'no',
    what: '`yes`: an address counts as verified, also if the identity provider does not say so. A first sign-in then needs no code by email, unless the address already has an account. Only for a provider where people cannot choose their own address.',
  },
  SITE_DIR: {
    group: PUBLIC_PAGES,
    without: 'the footer leads to /coming-soon, and the quotes are examples',
    what: 'A folder with your own `privacy.txt`, `terms.txt`, `imprint.txt` and `quotes.json`, or some of them. Each text becomes a page, and the footer of the public pages leads to it. `privacy.de.txt` is that of the German pages, which otherwise show `privacy.txt`. UTF-8, at most 256 KiB each: blank lines separate paragraphs, `# ` begins a heading, `- ` a list item, and web and email addresses become links. `quotes.json` has [two quotes](self-hosting.md#your-words-on-the-public-pages) for the page for companies.',
  },
  DEMO_URL: {
    group: PUBLIC_PAGES,
    without: 'the link leads to /coming-soon',
    what: 'Where "see the platform in action" on the page for companies leads: a page on which visitors can look at deeb, such as `https://demo.example.com/`. It starts with `https://`, or with `http://` on this machine.',
  },
  ANDROID_APP: {
    group: NATIVE_APPS,
    without: 'no Android app',
    what: 'The [Android app](../develop/mobile.md) of this server: its package, then the SHA-256 fingerprints of its certificates, as in `com.example.deeb 0A:1B:...`. The app may call the server and open the links in its emails.',
  },
  IOS_APP_ID: {
    group: NATIVE_APPS,
    without: 'no iOS app',
    what: 'The [iOS app](../develop/mobile.md) of this server: team and bundle, as in `ABCDE12345.com.example.deeb`. The app may call the server and open the links in its emails.',
  },
  LOG_LEVEL: {
    group: MONITORING,
    default: 'warn',
    what: '`error` logs failures only, `warn` also warnings, `info` also one line of JSON per response.',
  },
  METRICS_TOKEN: {
    group: MONITORING,
    isSecret: true,
    without:
      '`/metrics` answers requests from this machine; if `PUBLIC_URL` names a host other than localhost, it answers none',
    what: 'At least 16 characters. `/metrics` then answers every request with `Authorization: Bearer TOKEN` and no other.',
  },
} as const satisfies Record<string, Setting>

/** The part of the environment that has a row in `SETTINGS`: reading any other variable does not compile. */
export type Environment = { readonly [Name in keyof typeof SETTINGS]?: string | undefined }

const HEADER = ['| Variable | Without it | What it sets |', '|---|---|---|']

/** The tables of docs/operate/settings.md, one per group. */
export function settingsAsMarkdown(): string {
  const rows: [string, Setting][] = Object.entries(SETTINGS)
  const groups = [...new Set(rows.map(([, { group }]) => group))]
  return groups
    .map((group) => {
      const own = rows.filter(([, setting]) => setting.group === group)
      return [`## ${group}`, '', ...HEADER, ...own.map(rowText)].join('\n')
    })
    .join('\n\n')
}

function rowText([name, setting]: [string, Setting]): string {
  const without = setting.default === undefined ? setting.without : `\`${setting.default}\``
  return `| \`${name}\` | ${without} | ${setting.what} |`
}
