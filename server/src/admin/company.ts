import { parseEmail } from '@deeb/core/account/email'
import { callbackUrl } from '../auth/company/begin.ts'
import {
  type Company,
  insertCompany,
  readCompanies,
  removeCompany,
  requireCompanyDomain,
  setDomains,
  setOnly,
  updateCompany,
  withCompanyLock,
} from '../auth/company/configure.ts'
import { clientRefusal, createOidcClients } from '../auth/company/oidc-client.ts'
import { findProvider } from '../auth/company/provider.ts'
import { requireCompanyName, requireIssuer, requireText } from '../config/company-config.ts'
import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'
import { type Database, type Db, statement } from '../db/db.ts'
import { loadKnownKeys } from '../db/known-secret.ts'
import { publishToServers } from '../live/postgres-bus.ts'
import { loadCompanyPolicy } from '../profile/company-policy.ts'
import { printScimToken, switchScimOff } from './directory.ts'
import { hideChat } from './hide-chat.ts'
import { PROGRAM } from './program.ts'
import { requireSecondFactor } from './require-second-factor.ts'
import { tableLine } from './table-line.ts'

/** The help of the commands `company ...`. */
export const COMPANY_USAGE = `  company list           list the companies whose people sign in by their identity provider
  company add DOMAIN[,DOMAIN] ISSUER CLIENT_ID [NAME]  add a company; its client secret comes on standard input
  company secret KEY     replace the client secret, from standard input
  company domains KEY DOMAIN[,DOMAIN]  give a company these email domains and no others
  company only DOMAIN on|off  whether people of a domain sign in by their company only; on signs out those who did not
  company trust-email KEY on|off  whether an address counts as verified, also if the provider does not say so
  company scim KEY       print a token for the directory of a company, once; older ones work for 7 more days
  company scim-off KEY   remove the tokens of the directory of a company
  company require-second-factor DOMAIN on|off  require a second factor or a passkey, from 14 days later on
  company chat DOMAIN SYSTEM on|off  whether people of a company may show deeb mode in a chat system; off disconnects them
  company check KEY      ask the identity provider what it supports
  company remove KEY     remove a company; its people can sign in by a link from "Forgot password?"`

/** The dependencies of the commands. */
interface Deps {
  db: Database
  config: Config
  keys: Keys
  now: Date
  /** Reads a secret from standard input. */
  readSecret(): Promise<string>
}

type Command = (deps: Deps, ...words: string[]) => Promise<string[]>

/** Each command with the number of its arguments. */
const COMMANDS = new Map<string, { words: number[]; run: Command }>([
  ['list', { words: [0], run: ({ db }) => listCompanies(db) }],
  ['add', { words: [3, 4], run: addCompany }],
  ['secret', { words: [1], run: replaceSecret }],
  ['domains', { words: [2], run: replaceDomains }],
  ['only', { words: [2], run: switchOnly }],
  ['trust-email', { words: [2], run: switchTrust }],
  ['scim', { words: [1], run: ({ db, config, now }, key = '') => printScimToken(db, key, config, now) }],
  ['scim-off', { words: [1], run: ({ db, now }, key = '') => switchScimOff(db, key, now) }],
  ['require-second-factor', { words: [2], run: switchRequired }],
  ['chat', { words: [3], run: switchChat }],
  ['check', { words: [1], run: checkCompany }],
  ['remove', { words: [1], run: remove }],
])

/** Finds the command `company` with these arguments; null if there is none. */
export function companyCommand(
  words: string[],
): ((db: Database, config: Config, readSecret: () => Promise<string>) => Promise<string[]>) | null {
  const [name = '', ...rest] = words
  const command = COMMANDS.get(name)
  if (!command?.words.includes(rest.length)) return null
  // A key is a domain, and a domain has no letter case.
  const [key, ...others] = rest
  const given = key === undefined ? [] : [key.toLowerCase(), ...others]
  return async (db, config, readSecret) =>
    command.run(
      {
        db,
        config,
        keys: await loadKnownKeys(config, db, { now: new Date(), mayLearn: false }),
        now: new Date(),
        readSecret,
      },
      ...given,
    )
}

async function listCompanies(db: Db): Promise<string[]> {
  const [companies, rules] = [await readCompanies(db), await listRules(db)]
  if (companies.length === 0) return ['No company signs in by an identity provider.', ...rules]
  const lines = companies.map(({ key, name, issuer, domains, isFromSettings, isDisabled, trustsEmail, directory }) =>
    tableLine(
      key,
      name,
      issuer,
      domains.map(({ domain, onlySso }) => (onlySso ? `${domain} (only)` : domain)).join(',') || '(no domain)',
      [
        isFromSettings ? 'from the settings' : 'from this command',
        ...(trustsEmail ? ['trusts email'] : []),
        ...(directory
          ? [
              `directory asked ${directory.askedAt ? 'on ' : ''}${directory.askedAt?.slice(0, 10) ?? 'nothing yet'}`,
              ...(directory.leavers > 0
                ? [
                    `switched off ${directory.leavers}, of them ${directory.leaversWithoutAccount} without an account here`,
                  ]
                : []),
            ]
          : []),
        ...(isDisabled ? ['switched off'] : []),
      ].join(', '),
    ),
  )
  return [...lines, ...rules]
}

const rules = statement(
  'admin.company-rules',
  `select domain, 'second factor required from ' || to_char(required_from, 'YYYY-MM-DD') as rule from auth.second_factor_domains
  union all select company_domain, system || ' off' from status_hidden order by 1, 2`,
)

/** Lists what `require-second-factor` and `chat` have set, also for domains without an identity provider. */
async function listRules(db: Db): Promise<string[]> {
  const rows = await db.query<{ domain: string; rule: string }>(rules)
  return rows.map(({ domain, rule }) => tableLine(domain, rule))
}

async function addCompany(
  { db, config, keys, now, readSecret }: Deps,
  list = '',
  issuer = '',
  clientId = '',
  name?: string,
): Promise<string[]> {
  const domains = await requireDomains(config, list)
  const [key = ''] = domains
  const company = {
    key,
    name: requireCompanyName('NAME', name ?? key),
    issuer: requireIssuer('ISSUER', issuer),
    clientId: requireText('CLIENT_ID', clientId),
    clientSecret: requireText('The client secret on standard input', await readSecret()),
    trustsEmail: false,
    isFromSettings: false,
  }
  await withCompanyLock(db, async (db) => {
    const all = await readCompanies(db)
    const same = all.find((other) => other.key === key || (other.issuer === issuer && other.clientId === clientId))
    if (same) throw new Error(`The company "${same.key}" has this domain or this client already.`)
    refuseTaken(all, domains, null)
    await setDomains(db, await insertCompany(db, keys, company, now), domains, now)
  })
  const { publicUrl } = config
  return [
    `Added ${key}. Register these addresses at its identity provider:`,
    `  redirect URI             ${callbackUrl(publicUrl, key)}`,
    `  back-channel logout URI  ${publicUrl}/auth/v1/backchannel-logout/${key}`,
    `Then run \`${PROGRAM} company check ${key}\`.`,
  ]
}

async function replaceSecret({ db, keys, now, readSecret }: Deps, key = ''): Promise<string[]> {
  const clientSecret = requireText('The client secret on standard input', await readSecret())
  await withCompanyLock(db, async (db) => {
    const { id } = await requireOwn(db, key)
    await updateCompany(db, keys, id, { clientSecret }, 'secret', now)
  })
  return [`Replaced the client secret of ${key}.`]
}

async function replaceDomains({ db, config, now }: Deps, key = '', list = ''): Promise<string[]> {
  const domains = await requireDomains(config, list)
  const ended = await withCompanyLock(db, async (db) => {
    const { id } = await requireOwn(db, key)
    refuseTaken(await readCompanies(db), domains, id)
    return setDomains(db, id, domains, now)
  })
  await publishEnded(db, ended)
  return [`${key} speaks for ${domains.join(', ')}. ${signedOut(ended)}`]
}

async function switchOnly({ db, now }: Deps, domain = '', text = ''): Promise<string[]> {
  const isOn = readOnOff(text)
  const ended = await withCompanyLock(db, async (db) => {
    const company = (await readCompanies(db)).find(({ domains }) => domains.some((known) => known.domain === domain))
    if (!company) throw new Error(`No company has the domain ${domain}.`)
    refuseFromSettings(company)
    return setOnly(db, [domain], isOn, now)
  })
  await publishEnded(db, ended)
  return [isOn ? `${domain} signs in by its company only. ${signedOut(ended)}` : `${domain} signs in any way again.`]
}

async function switchTrust({ db, keys, now }: Deps, key = '', text = ''): Promise<string[]> {
  const trustsEmail = readOnOff(text)
  await withCompanyLock(db, async (db) => {
    const { id } = await requireOwn(db, key)
    await updateCompany(db, keys, id, { trustsEmail }, `trust-email ${text}`, now)
  })
  return [`Addresses from the identity provider of ${key} ${trustsEmail ? 'count' : 'do not count'} as verified.`]
}

async function switchRequired({ db, config, now }: Deps, domain = '', text = ''): Promise<string[]> {
  return requireSecondFactor(db, { domain, isOn: readOnOff(text) }, await loadCompanyPolicy(config), now)
}

async function switchChat({ db, now }: Deps, domain = '', systemName = '', text = ''): Promise<string[]> {
  return hideChat(db, { domain, systemName, isHidden: !readOnOff(text) }, now)
}

async function checkCompany({ db, config, keys }: Deps, key = ''): Promise<string[]> {
  const provider = await findProvider(db, { key })
  if (!provider) throw new Error(`There is no company "${key}", or it is switched off.`)
  const client = await createOidcClients({ db, keys, now: () => new Date() })
    .of(provider)
    .catch((error: Error) => {
      throw new Error(`The identity provider ${provider.issuer} cannot be used: ${error.message}`)
    })
  const refusal = await clientRefusal(client, callbackUrl(config.publicUrl, key)).catch((error: Error) => {
    throw new Error(`The identity provider ${provider.issuer} cannot be used: ${error.message}`)
  })
  if (refusal !== null) {
    throw new Error(
      `The identity provider ${provider.issuer} refuses the client id or the client secret (${refusal}). A secret may have expired. Then replace it: company secret ${key}`,
    )
  }
  const about = client.config.serverMetadata()
  const supports = (what: string, isSupported: boolean | undefined, without: string) =>
    `  ${what}: ${isSupported ? 'yes' : `no; ${without}`}`
  return [
    `${provider.issuer} answers and publishes its keys, and accepts the client secret.`,
    supports(
      'back-channel logout',
      about.backchannel_logout_supported === true,
      'its sign-out does not end sessions here',
    ),
    supports(
      'offline_access',
      about.scopes_supported?.includes('offline_access'),
      'without SCIM, sessions live 24 hours',
    ),
    supports(
      'iss in its answer',
      about.authorization_response_iss_parameter_supported,
      'an optional protection is absent',
    ),
    supports('auth_time', about.claims_supported?.includes('auth_time'), 'it may have to be switched on there'),
  ]
}

async function remove({ db, now }: Deps, key = ''): Promise<string[]> {
  const ended = await withCompanyLock(db, async (db) => {
    const company = await requireCompany(db, key)
    if (!company.isDisabled) refuseFromSettings(company)
    return removeCompany(db, company.id, now)
  })
  await publishEnded(db, ended)
  return [`Removed ${key}. ${signedOut(ended)} Its people can sign in by a link from "Forgot password?".`]
}

async function requireCompany(db: Db, key: string): Promise<Company> {
  const company = (await readCompanies(db)).find((known) => known.key === key)
  if (!company) throw new Error(`There is no company "${key}".`)
  return company
}

/** A company that this command may change. */
async function requireOwn(db: Db, key: string): Promise<Company> {
  const company = await requireCompany(db, key)
  refuseFromSettings(company)
  return company
}

function refuseFromSettings({ key, isFromSettings }: Company): void {
  if (isFromSettings) throw new Error(`The company "${key}" is that of the settings OIDC_*. Change them and restart.`)
}

/** The settings keep their domains: the next start would take them back. */
function refuseTaken(all: Company[], domains: string[], ownId: string | null): void {
  for (const { id, key, isFromSettings, domains: held } of all) {
    const taken = held.find(({ domain }) => domains.includes(domain))?.domain
    // A domain may move from one company of this command to another, but a new company takes none.
    if (taken && id !== ownId && (isFromSettings || ownId === null)) {
      throw new Error(`${taken} belongs to the company "${key}".`)
    }
  }
}

async function requireDomains(config: Config, list: string): Promise<string[]> {
  const policy = await loadCompanyPolicy(config)
  const domains = list.split(',').map((text) => parseEmail(`a@${text}`)?.slice(2) ?? null)
  return domains.map((domain, index) => {
    if (domain === null) throw new Error(`"${list.split(',')[index]}" is not a domain such as example.com.`)
    requireCompanyDomain('DOMAIN', domain, policy)
    return domain
  })
}

function readOnOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new Error(`The last word must be on or off, not "${text}".`)
}

function signedOut(ended: string[]): string {
  return ended.length === 0 ? 'Nobody was signed out.' : `Ended ${ended.length} auth sessions.`
}

async function publishEnded(db: Db, sessionIds: string[]): Promise<void> {
  if (sessionIds.length > 0) await publishToServers(db, { sessionIds })
}
