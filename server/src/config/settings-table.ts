/** One environment variable, as `readConfig` reads it and as docs/operate/settings.md describes it. */
export interface Setting {
  group: string
  /** The value that is used without the variable. */
  default?: string
  /** The effect of a missing variable that has no default value. */
  without?: string
  /** The meaning of the value, and its form. */
  what: string
  /** Its value is a secret or contains one, so it is never printed, and may be in a file (secret-files.ts). */
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

const ROTATION = '[Rotate the secret](backup.md#rotate-the-secret)'

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
    what: 'The address that people open, such as `https://deeb.example.com`, without a path. Links in emails start with it. Passkeys need https (or localhost), and work for this host name only.',
  },
  TRUST_PROXY: {
    group: LISTENING,
    without: 'no proxy is trusted',
    what: 'The addresses of your reverse proxies: `10.0.0.5, 10.0.0.0/24`, or `loopback` for this machine. `X-Forwarded-For` counts from these only. Required behind a proxy: without it all people share its rate limits.',
  },
  DATA_DIR: {
    group: DATA,
    default: './data',
    what: 'The folder of the embedded database, the generated secret, and emails without `SMTP_URL`.',
  },
  DATABASE_URL: {
    group: DATA,
    isSecret: true,
    without: 'the embedded database in `DATA_DIR`',
    what: 'PostgreSQL 15 or newer: `postgresql://user:password@host/database`, with `/`, `#` and `?` in user and password as `%2F`, `%23` and `%3F`. The user must be allowed to create the extensions `pg_trgm`, `btree_gin` and `btree_gist` (on some systems in `postgresql-contrib`). The encoding of the database is UTF8.',
  },
  DATABASE_DIRECT_URL: {
    group: DATA,
    isSecret: true,
    without: '`DATABASE_URL`',
    what: 'The same database without [the pooler](scale.md#with-a-pooler) that `DATABASE_URL` names: for LISTEN, migrations and commands.',
  },
  SESSIONS_KEPT_MONTHS: {
    group: DATA,
    needsAgreement: true,
    without: 'focus sessions are kept as long as the account',
    what: 'How many months [focus sessions](admin.md#old-focus-sessions) are kept, 2 to 120. Totals stay. A lower value deletes more within an hour; a higher one brings nothing back.',
  },
  SMTP_URL: {
    group: EMAIL,
    isSecret: true,
    without: 'emails become files in `DATA_DIR/outbox`',
    what: 'The mail server: `smtp://user:password@mail.example.com:587`, special characters as in `DATABASE_URL`. Encrypted with a trusted certificate, unless it is on this machine.',
  },
  MAIL_FROM: {
    group: EMAIL,
    without: '`deeb <deeb@HOST>`, with the host of `PUBLIC_URL`',
    what: 'The sender of all emails, which the mail server must accept.',
  },
  PUSH: {
    group: PUSH,
    needsAgreement: true,
    default: 'on',
    what: '`on`: people can have notifications, and the server calls [push services](self-hosting.md#network). `local` is `on` with push services on this machine too, for tests.',
  },
  WEBHOOKS: {
    group: OUTSIDE,
    needsAgreement: true,
    default: 'on',
    what: '`on`: people can add [webhooks](../use/webhooks.md), which send their own focus times to their URLs. `off`: none is sent or added.',
  },
  WEBHOOK_ALLOW: {
    group: OUTSIDE,
    needsAgreement: true,
    without: 'the server calls public addresses only, by https',
    what: 'Private networks in which people may name servers to call, there also by http: `10.0.0.0/8, fd00::/8`. Anyone with an account can then send requests to all their ports, and sees no response. Leave out this machine, cloud metadata (`169.254.0.0/16`) and servers that trust their network. Names are looked up by DNS, not in `/etc/hosts`.',
  },
  SLACK_CLIENT_ID: {
    group: CHAT,
    needsAgreement: true,
    without: 'Slack is not offered',
    what: 'The id of your Slack app. People can then connect Slack: [steps for each system](../use/status-in-chat.md).',
  },
  SLACK_CLIENT_SECRET: {
    group: CHAT,
    isSecret: true,
    without: 'required by `SLACK_CLIENT_ID`',
    what: 'Its secret.',
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
    what: 'The id of your application at Microsoft Entra.',
  },
  MICROSOFT_CLIENT_SECRET: {
    group: CHAT,
    isSecret: true,
    without: 'required by `MICROSOFT_CLIENT_ID`',
    what: 'Its secret. Entra lets it expire; that disconnects nobody.',
  },
  MICROSOFT_TENANT: {
    group: CHAT,
    default: 'organizations',
    what: 'The id of your tenant, if only its people may connect.',
  },
  GOOGLE_CLIENT_ID: {
    group: CHAT,
    needsAgreement: true,
    without: 'Google Chat is not offered',
    what: 'The id of your OAuth client at Google Cloud.',
  },
  GOOGLE_CLIENT_SECRET: {
    group: CHAT,
    isSecret: true,
    without: 'required by `GOOGLE_CLIENT_ID`',
    what: 'Its secret.',
  },
  MATTERMOST: {
    group: CHAT,
    needsAgreement: true,
    default: 'off',
    what: '`on`: people can connect Mattermost by address and personal access token. The server then calls addresses that people type: public ones, and those of `WEBHOOK_ALLOW`.',
  },
  ZULIP: {
    group: CHAT,
    needsAgreement: true,
    default: 'off',
    what: '`on`: people can connect Zulip by address and API key, as for `MATTERMOST`.',
  },
  DEEB_SECRET: {
    group: SECRETS,
    isSecret: true,
    without: 'generated at the first start, stored in `DATA_DIR/secret`',
    what: `64 hexadecimal digits (\`openssl rand -hex 32\`), from which all keys are derived. To change it: ${ROTATION}.`,
  },
  DEEB_SECRET_OLD: {
    group: SECRETS,
    isSecret: true,
    without: 'none',
    what: `A second secret that the server also accepts: ${ROTATION}.`,
  },
  SIGN_UP: {
    group: SIGN_IN,
    needsAgreement: true,
    default: 'on',
    what: '`off`: nobody can sign up, nor confirm an earlier sign-up; `user confirm` still does. For company accounts only.',
  },
  PASSWORD_MIN_LENGTH: {
    group: SIGN_IN,
    default: '8',
    what: 'Of a new password, 8 to 64 characters. NIST advises 15 without a second factor.',
  },
  AUTH_ARGON2: {
    group: SIGN_IN,
    default: '19456,2,1',
    what: 'The cost of an argon2id hash: KiB of memory, passes, threads. `65536,3,1` is stronger and slower; the minimum is `7168,5,1`. A hash keeps its cost until its owner signs in; each sign-in computes one of each cost in use, so that its time reveals nothing.',
  },
  COMPANY_DOMAINS: {
    group: COMPANIES,
    needsAgreement: true,
    without: 'every domain that is not free mail is a company',
    what: 'The email domains that are companies, separated by commas. Recommended on a public server. A change applies to later addresses; `companies apply` applies it to all, once every server has it.',
  },
  FREE_MAIL_DOMAINS: {
    group: COMPANIES,
    without: 'the bundled list alone',
    what: 'More domains that are not companies. A change applies as for `COMPANY_DOMAINS`.',
  },
  CIRCLE_SIZE: {
    group: COMPANIES,
    needsAgreement: true,
    default: '50',
    what: 'The most people in one circle, 0 to 150. A lower value removes nobody, but nobody joins. With 0 there are none: existing ones are kept without effect.',
  },
  COMPANY_REPORT: {
    group: COMPANIES,
    needsAgreement: true,
    default: 'on',
    what: '`on`: a company with ten accounts is counted from the next Monday two days away or more, for the page "Your company", which everybody there sees. `off`: no week is counted, also not later.',
  },
  REPORT_BLUR: {
    group: COMPANIES,
    needsAgreement: true,
    default: '4',
    what: 'By how many people, on average, chance moves the numbers of a week before they are saved, 4 to 50. Higher protects better, and small companies see less. For weeks from then on.',
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
    without: 'none, unless `company add` sets it up',
    what: "The address of your company's OpenID Connect provider, such as `https://login.microsoftonline.com/TENANT/v2.0`, with the three settings below: [Company sign-in](../use/company-sign-in.md).",
  },
  OIDC_CLIENT_ID: {
    group: COMPANY_SIGN_IN,
    without: 'required by `OIDC_ISSUER`',
    what: 'The id of your application there.',
  },
  OIDC_CLIENT_SECRET: {
    group: COMPANY_SIGN_IN,
    isSecret: true,
    without: 'required by `OIDC_ISSUER`',
    what: 'Its secret, stored encrypted.',
  },
  OIDC_DOMAINS: {
    group: COMPANY_SIGN_IN,
    without: 'required by `OIDC_ISSUER`',
    what: 'The email domains of your company: only for them the provider is believed. The first is in the redirect URI, `PUBLIC_URL/auth/v1/callback/DOMAIN`. No free-mail domains; with `COMPANY_DOMAINS` each must be in both.',
  },
  OIDC_NAME: {
    group: COMPANY_SIGN_IN,
    without: 'the first domain',
    what: 'The name on the button "Continue with NAME".',
  },
  OIDC_ONLY: {
    group: COMPANY_SIGN_IN,
    needsAgreement: true,
    default: 'no',
    what: '`yes`: people of these domains sign in by the provider only. The others are signed out.',
  },
  OIDC_TRUST_EMAIL: {
    group: COMPANY_SIGN_IN,
    default: 'no',
    what: '`yes`: addresses count as verified, also if the provider does not say so; a first sign-in needs no code by email unless an account exists. Only where people cannot choose their address.',
  },
  SITE_DIR: {
    group: PUBLIC_PAGES,
    without: 'plain texts that come with deeb, and examples of quotes',
    what: 'A folder with `privacy.txt`, `terms.txt`, `imprint.txt`, `price.txt` and `quotes.json`, or some of them: [your words](self-hosting.md#your-words-on-the-public-pages). `privacy.de.txt` is that of the German pages. UTF-8, at most 256 KiB: blank lines separate paragraphs, `# ` begins a heading, `- ` a list item, and addresses become links, also as `[words](https://…)`.',
  },
  DEMO_URL: {
    group: PUBLIC_PAGES,
    without: 'the link leads to /coming-soon',
    what: 'Where "see the platform in action" and, for a demo, /coming-soon lead, with `https://`, or `http://` on this machine: such as [a demo](self-hosting.md#a-demo-for-visitors).',
  },
  ANDROID_APP: {
    group: NATIVE_APPS,
    without: 'no Android app',
    what: 'The [Android app](../develop/mobile.md) that may call this server and open its links: package, then SHA-256 fingerprints of its certificates, as in `com.example.deeb 0A:1B:...`.',
  },
  IOS_APP_ID: {
    group: NATIVE_APPS,
    without: 'no iOS app',
    what: 'The iOS app: team and bundle, as in `ABCDE12345.com.example.deeb`.',
  },
  LOG_LEVEL: {
    group: MONITORING,
    default: 'warn',
    what: '`error` logs failures only, `warn` and `info` also warnings, `debug` also one line of JSON per response.',
  },
  METRICS_TOKEN: {
    group: MONITORING,
    isSecret: true,
    without: '`/metrics` answers this machine; none if `PUBLIC_URL` is not localhost',
    what: 'At least 16 characters: `/metrics` answers `Authorization: Bearer TOKEN` only.',
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
  const names = setting.isSecret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``
  return `| ${names} | ${without} | ${setting.what} |`
}
