import { randomUUID } from 'node:crypto'
import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import type { CompanyConfig } from '../../config/company-config.ts'
import type { Keys } from '../../config/keys.ts'
import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { closeDomain } from './close-domain.ts'
import { openSecret, type Provider, sealSecret } from './provider.ts'
import { removeForeignIdentities } from './remove-identities.ts'

const lock = statement('company.lock', "select pg_advisory_xact_lock(hashtextextended('auth companies', 0))")

/** Runs `work` in a transaction that serializes changes of companies: several servers start concurrently, and read before they write. */
export function withCompanyLock<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (transaction) => {
    await transaction.query(lock)
    return work(transaction)
  })
}

/** Throws one sentence, which begins with `what`, for a domain that is not a company by the settings. */
export function requireCompanyDomain(what: string, domain: string, policy: CompanyPolicy): void {
  if (companyOf(`ann.meyer@${domain}`, policy) !== null) return
  const why = policy.companyDomains
    ? 'is not in COMPANY_DOMAINS'
    : 'is a domain of free email: anyone can have an address there'
  throw new Error(`${what}: ${domain} ${why}.`)
}

/** A company as the administrator sees it. */
export interface Company extends Omit<Provider, 'onlySso' | 'updatedAt'> {
  isFromSettings: boolean
  isDisabled: boolean
  domains: { domain: string; onlySso: boolean }[]
  /** The state of its directory (SCIM), with the time of its last request; null without a directory. */
  directory: { askedAt: string | null; leavers: number; leaversWithoutAccount: number } | null
}

const read = statement(
  'company.read',
  `select id, key, name, issuer, client_id as "clientId", client_secret as "clientSecret",
    from_environment as "isFromSettings", disabled_at is not null as "isDisabled", trusts_email as "trustsEmail",
    coalesce((select json_agg(json_build_object('domain', domain, 'onlySso', only_sso) order by created_at, domain)
      from auth.sso_domains where provider_id = sso_providers.id), '[]') as domains,
    (select json_build_object('askedAt', max(last_used_at),
        'leavers', (select count(*) from auth.scim_users where provider_id = sso_providers.id and not active),
        'leaversWithoutAccount', (select count(*) from auth.scim_users
          where provider_id = sso_providers.id and not active and user_id is null)) from auth.scim_tokens
      where provider_id = sso_providers.id having count(*) > 0) as directory
  from auth.sso_providers order by sso_providers.created_at, key`,
)

export async function readCompanies(db: Db): Promise<Company[]> {
  return db.query<Company>(read)
}

/** SQL: the audit event of a change of a company. `what` and `key` are SQL expressions. */
const changed = (what: string, key: string, from?: string) =>
  auditInsert({
    action: "'company_changed'",
    userId: 'null',
    ip: 'null',
    detail: `jsonb_build_object('company', ${key}, 'what', ${what})`,
    ...(from && { from }),
  })

const insert = statement(
  'company.insert',
  `with made as (
    insert into auth.sso_providers
      (id, key, name, issuer, client_id, client_secret, from_environment, trusts_email, created_at, updated_at)
    values (:id, :key, :name, :issuer, :clientId, :clientSecret, :isFromSettings, :trustsEmail, :now, :now)
    returning key
  )
  ${changed("'added'", 'key', 'made')}`,
)

type NewCompany = Omit<CompanyConfig, 'domains' | 'onlySso'> & { key: string; isFromSettings: boolean }

/** Adds a company and returns its id. It has no domains yet. */
export async function insertCompany(
  db: Db,
  keys: Keys,
  { clientSecret, ...company }: NewCompany,
  now: Date,
): Promise<string> {
  const id = randomUUID()
  await db.query(insert, { ...company, id, clientSecret: sealSecret(keys, id, clientSecret), now })
  return id
}

const update = statement(
  'company.update',
  `with updated as (
    update auth.sso_providers set key = coalesce(:key, key), name = coalesce(:name, name),
      client_secret = coalesce(:clientSecret::bytea, client_secret), trusts_email = coalesce(:trustsEmail::boolean, trusts_email),
      disabled_at = null, updated_at = :now
    where id = :id returning key
  )
  ${changed(':what::text', 'key', 'updated')}`,
)

interface Change {
  key?: string
  name?: string
  clientSecret?: string
  trustsEmail?: boolean
}

/** Changes a company, and switches it on if it was off. `what` is for the audit log. */
export async function updateCompany(
  db: Db,
  keys: Keys,
  id: string,
  { clientSecret, ...change }: Change,
  what: string,
  now: Date,
): Promise<void> {
  const sealed = clientSecret === undefined ? null : sealSecret(keys, id, clientSecret)
  await db.query(update, { key: null, name: null, trustsEmail: null, ...change, clientSecret: sealed, id, what, now })
}

const giveDomains = statement(
  'company.give-domains',
  `with removed as (
    delete from auth.sso_domains where provider_id = :id and domain <> all(:domains::text[]) returning domain
  ), given as (
    insert into auth.sso_domains (domain, provider_id, created_at)
    select domain, :id, :now from unnest(:domains::text[]) as domain
    on conflict (domain) do update set provider_id = excluded.provider_id
      where sso_domains.provider_id <> excluded.provider_id
    returning domain
  )
  ${changed("'domains'", ':domains::text[]', '(select 1 where exists (select from given union all select from removed)) as one')}`,
)

/**
 * Gives a company these domains and no others, also those of another company. Returns the ids of the auth sessions that ended,
 * because their provider does not speak for the account any more.
 */
export async function setDomains(db: Db, id: string, domains: string[], now: Date): Promise<string[]> {
  await db.query(giveDomains, { id, domains, now })
  return removeForeignIdentities(db, null, now)
}

const open = statement(
  'company.open-domains',
  'update auth.sso_domains set only_sso = false where domain = any(:domains::text[]) and only_sso returning domain',
)

const findOpen = statement(
  'company.open-domains-of',
  'select domain from auth.sso_domains where domain = any(:domains::text[]) and not only_sso order by domain',
)

const logOnly = statement('company.log-only', changed(':what::text', 'domain', 'unnest(:domains::text[]) as domain'))

/**
 * Sets whether accounts of these domains sign in by their company only. Switching it on ends the auth sessions that were opened
 * another way, and returns their ids.
 */
export async function setOnly(db: Db, domains: string[], isOn: boolean, now: Date): Promise<string[]> {
  const rows = await db.query<{ domain: string }>(isOn ? findOpen : open, { domains })
  const changing = rows.map(({ domain }) => domain)
  const ended: string[] = []
  if (isOn) for (const domain of changing) ended.push(...((await closeDomain(db, domain)) ?? []))
  await db.query(logOnly, { domains: changing, what: isOn ? 'only on' : 'only off', now })
  return ended
}

const disable = statement(
  'company.disable',
  `with disabled as (
    update auth.sso_providers set disabled_at = :now, updated_at = :now, key = case when :isReplaced then id::text else key end
    where id = :id and (disabled_at is null or :isReplaced) returning id, key
  ), domains as (
    delete from auth.sso_domains using disabled where provider_id = disabled.id and :isReplaced::boolean
  ), opened as (
    update auth.sso_domains set only_sso = false from disabled
    where provider_id = disabled.id and only_sso and not :isReplaced::boolean
  ), ended as (
    delete from auth.sessions using disabled where sso_provider_id = disabled.id returning sessions.id
  ), logged as (
    ${changed("'disabled'", 'key', 'disabled')}
  )
  select id::text from ended`,
)

/**
 * Switches a company off and returns the ids of the auth sessions that ended. Its domains are open then, so that setOnly() closes them
 * again, with what was signed in since then. A replaced company loses its key and its domains.
 */
async function disableCompany(db: Db, { id }: Company, isReplaced: boolean, now: Date): Promise<string[]> {
  return (await db.query<{ id: string }>(disable, { id, isReplaced, now })).map((row) => row.id)
}

const remove = statement(
  'company.remove',
  `with ended as (
    select id::text from auth.sessions where sso_provider_id = :id
  ), gone as (
    delete from auth.sso_providers where id = :id returning key
  ), logged as (
    ${changed("'removed'", 'key', 'gone')}
  )
  select id from ended`,
)

/** Deletes a company with its identities and directory, and returns the ids of the auth sessions that ended. */
export async function removeCompany(db: Db, id: string, now: Date): Promise<string[]> {
  return (await db.query<{ id: string }>(remove, { id, now })).map((row) => row.id)
}

/**
 * Makes the company of the settings that of the database, and switches it off if the settings have none. Idempotent. Returns the ids
 * of the auth sessions that ended. Throws one sentence if the settings cannot work.
 */
export async function applyCompanySettings(
  { db, keys, companyPolicy }: Pick<AuthDeps, 'db' | 'keys' | 'companyPolicy'>,
  wanted: CompanyConfig | null,
  now: Date,
): Promise<string[]> {
  const policy = wanted && (await companyPolicy())
  if (policy) for (const domain of wanted.domains) requireCompanyDomain('OIDC_DOMAINS', domain, policy)
  return withCompanyLock(db, async (db) => {
    const all = await readCompanies(db)
    const isWanted = ({ issuer, clientId }: Company) => issuer === wanted?.issuer && clientId === wanted.clientId
    const ended: string[] = []
    for (const company of all.filter((company) => company.isFromSettings && !isWanted(company))) {
      ended.push(...(await disableCompany(db, company, wanted !== null, now)))
    }
    if (wanted === null) return ended
    refuseConflict(
      wanted,
      all.filter(({ isFromSettings }) => !isFromSettings),
    )
    const id = await writeCompany(db, keys, wanted, all.find(isWanted), now)
    ended.push(...(await setDomains(db, id, wanted.domains, now)))
    ended.push(...(await setOnly(db, wanted.domains, wanted.onlySso, now)))
    return ended
  })
}

/** The settings take nothing from a company of the admin CLI. */
function refuseConflict({ issuer, clientId, domains }: CompanyConfig, others: Company[]): void {
  for (const { key, ...other } of others) {
    const taken = other.domains.map(({ domain }) => domain).find((domain) => domains.includes(domain))
    const what = taken ?? (key === domains[0] ? key : null)
    const isSame = other.issuer === issuer && other.clientId === clientId
    if (what === null && !isSame) continue
    const sentence = isSame ? 'The identity provider of OIDC_ISSUER' : `OIDC_DOMAINS: ${what}`
    throw new Error(
      `${sentence} belongs to the company "${key}" already. Run \`npm run admin -- company remove ${key}\` first.`,
    )
  }
}

async function writeCompany(
  db: Db,
  keys: Keys,
  { name, clientSecret, trustsEmail, domains, issuer, clientId }: CompanyConfig,
  before: Company | undefined,
  now: Date,
): Promise<string> {
  const key = domains[0] ?? ''
  const wanted = { key, name, clientSecret, trustsEmail }
  if (!before) return insertCompany(db, keys, { ...wanted, issuer, clientId, isFromSettings: true }, now)
  const isSecretSame = (await openSecret(db, keys, before).catch(() => null)) === clientSecret
  const isSame = before.key === key && before.name === name && before.trustsEmail === trustsEmail && isSecretSame
  // An unchanged row keeps the clients of the running servers.
  if (!isSame || before.isDisabled) await updateCompany(db, keys, before.id, wanted, 'settings', now)
  return before.id
}
