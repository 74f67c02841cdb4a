import { randomUUID } from 'node:crypto'
import { parseEmail } from '@deeb/core/account/email'
import { lockAddress } from '../auth/address/address-lock.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { type Db, lookup, statement, violatedConstraint } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { type Account, deactivateAccount, lockAccount, moveAccount, reactivateAccount, readTeamOf } from './account.ts'
import { COMPARISONS, type Filter, type FilterColumn } from './filter.ts'
import { applyPatch } from './patch.ts'
import { readResource, type ScimUser } from './resource.ts'
import { notFound, ScimError } from './scim-error.ts'
import { chosenEmail, type IsOwn, type Json, type UserValues } from './values.ts'

const COLUMNS = `id, user_id as "userId", user_name as "userName", external_id as "externalId", email, given_name as "givenName",
  family_name as "familyName", display_name as "displayName", department, active, created_at as "createdAt",
  updated_at as "updatedAt"`

export const MAX_PAGE = 200

/** A statement for each set of columns: one statement for all could use no index. */
const lists = new Map<string, ReturnType<typeof statement>>()

function listStatement(columns: FilterColumn[]) {
  const name = ['scim.list-users', ...columns].join('.')
  const conditions = columns.map((column) => ` and ${COMPARISONS[column].replace('?', `:${column}`)}`).join('')
  const known = lists.get(name)
  const list =
    known ??
    statement(
      name,
      `with found as (select * from auth.scim_users where provider_id = :providerId${conditions})
      select (select count(*)::int from found) as total, (select coalesce(json_agg(page), '[]') from (
        select ${COLUMNS} from found order by created_at, id limit :count offset :skipped) as page) as users`,
    )
  lists.set(name, list)
  return list
}

/** Lists the people of a directory that match the filter, the oldest first. */
export async function listUsers(
  db: Db,
  providerId: string,
  filter: Filter,
  { count, skipped }: { count: number; skipped: number },
): Promise<{ total: number; users: ScimUser[] }> {
  const columns = (Object.keys(filter) as FilterColumn[]).sort()
  const values = { ...filter, providerId, count, skipped }
  const [found] = await db.query<{ total: number; users: ScimUser[] }>(listStatement(columns), values)
  const users = (found?.users ?? []).map((user) => ({
    ...user,
    createdAt: new Date(user.createdAt),
    updatedAt: new Date(user.updatedAt),
  }))
  return { total: found?.total ?? 0, users }
}

const find = lookup(
  'scim.find-user',
  `select ${COLUMNS} from auth.scim_users where id = :id and provider_id = :providerId`,
)

/** Reads one person. Throws a 404, also for those of another company. */
export async function readUser(db: Db, providerId: string, id: string): Promise<ScimUser> {
  const [user] = await db.query<ScimUser>(find, { id, providerId })
  if (!user) throw notFound()
  return user
}

/*
 * Serializes the writes of a directory, so that two requests about one person do not overtake each other. Reads the domains for which
 * its provider speaks.
 */
const lockProvider = statement(
  'scim.lock-provider',
  `select array(select domain from auth.sso_domains where provider_id = :providerId) as domains
  from auth.sso_providers where id = :providerId and disabled_at is null for no key update`,
)

const insert = statement(
  'scim.add-user',
  `insert into auth.scim_users (id, provider_id, user_name, external_id, email, given_name, family_name, display_name, department,
    active, created_at, updated_at)
  select :id, :providerId, :userName, :externalId, :email, :givenName, :familyName, :displayName, :department, :active, :now, :now
  where (select count(*) from (
    select from auth.scim_users where provider_id = :providerId limit ${LIMITS.scimUsers.max}) as kept) < ${LIMITS.scimUsers.max}
  returning id`,
)

const update = statement(
  'scim.change-user',
  `update auth.scim_users set user_name = :userName, external_id = :externalId, email = :email, given_name = :givenName,
    family_name = :familyName, display_name = :displayName, department = :department, active = :active, updated_at = :now
  where id = :id and provider_id = :providerId returning id`,
)

/* Two people of a directory cannot be one account: the first one keeps it. */
const link = statement(
  'scim.link-account',
  `update auth.scim_users set user_id = :userId where id = :id and provider_id = :providerId
    and not exists (select from auth.scim_users as other
      where other.provider_id = :providerId and other.user_id = :userId and other.id <> :id)
  returning id`,
)

const remove = statement('scim.remove-user', 'delete from auth.scim_users where id = :id and provider_id = :providerId')

/** The events to publish after the commit. */
interface Published {
  sessions: string[]
  presences: string[]
  teams: string[]
}

/** A write by the directory of a company. */
export interface Write {
  providerId: string
  now: Date
  /** Writes a line into the log of the server. */
  warn?(what: string): void
}

/** Adds a person. Throws `uniqueness` if another one has the user name, in any letter case. Creates no account. */
export async function addUser(auth: AuthDeps, write: Write, body: Json): Promise<ScimUser> {
  const id = randomUUID()
  return change(auth, write, async (db, isOwn) => {
    const values = readResource(body, isOwn)
    const { isByUserName: _, ...columns } = values
    const [row] = await db.query(insert, { ...columns, id, providerId: write.providerId, now: write.now })
    if (!row) throw new ScimError(403, 'This directory has too many people.')
    return { id, before: null, values, isRemoved: false }
  })
}

/** Replaces all values of a person. Without `active` the person stays as they were. */
export function replaceUser(auth: AuthDeps, write: Write, id: string, body: Json): Promise<ScimUser> {
  return changeUser(auth, write, id, (before, isOwn) => readResource(body, isOwn, before.active))
}

/** Changes some values of a person. */
export function patchUser(auth: AuthDeps, write: Write, id: string, body: Json): Promise<ScimUser> {
  return changeUser(auth, write, id, (before, isOwn) => applyPatch(id, before, body, isOwn))
}

/** Removes a person, and deactivates the account first. */
export async function removeScimUser(auth: AuthDeps, write: Write, id: string): Promise<void> {
  await changeUser(auth, write, id, (before) => ({ ...before, active: false }), true)
}

function changeUser(
  auth: AuthDeps,
  write: Write,
  id: string,
  valuesOf: (before: ScimUser, isOwn: IsOwn) => UserValues,
  isRemoved = false,
): Promise<ScimUser> {
  const { providerId, now } = write
  return change(auth, write, async (db, isOwn) => {
    const before = await readUser(db, providerId, id)
    const values = valuesOf(before, isOwn)
    const { userName, externalId, email, givenName, familyName, displayName, department, active } = values
    const columns = { userName, externalId, email, givenName, familyName, displayName, department, active }
    const changed = await db.query(update, { ...columns, id, providerId, now })
    if (changed.length === 0) throw notFound()
    return { id, before, values, isRemoved }
  })
}

interface Written {
  id: string
  before: ScimUser | null
  values: UserValues
  /** The person leaves the directory once their account has followed. */
  isRemoved: boolean
}

/** Writes the person and follows with their account, in one transaction. Publishes what changed after the commit. */
async function change(
  auth: AuthDeps,
  write: Write,
  work: (db: Db, isOwn: IsOwn) => Promise<Written>,
): Promise<ScimUser> {
  const { providerId } = write
  const run = auth.db.transaction(async (db) => {
    const [provider] = await db.query<{ domains: string[] }>(lockProvider, { providerId })
    if (!provider) throw new ScimError(401, 'The token is not valid.')
    const isOwn: IsOwn = (email) => provider.domains.includes(email.split('@')[1] ?? '')
    const written = await work(db, isOwn)
    const published = await follow(db, auth, write, written, isOwn)
    const user = await readUser(db, providerId, written.id)
    if (written.isRemoved) await db.query(remove, { id: written.id, providerId })
    return { user, published }
  })
  const { user, published } = await run.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'scim_users_user_name_key') throw error
    throw new ScimError(409, 'Another person has this userName.', 'uniqueness')
  })
  publish(auth, published)
  return user
}

/** Changes the account of a person as their directory says. */
async function follow(
  db: Db,
  auth: AuthDeps,
  { providerId, now, warn }: Write,
  { id, before, values }: Written,
  isOwn: IsOwn,
) {
  const published: Published = { sessions: [], presences: [], teams: [] }
  // Older rows may have an address elsewhere, in addition to a user name of the company.
  const accountEmail = ({ email, userName }: UserValues) => chosenEmail([email, parseEmail(userName)], isOwn)
  const [oldEmail, newEmail] = [before && accountEmail(before), accountEmail(values)]
  // A first sign-in with one of the addresses holds its lock while it reads what the directory says.
  for (const email of [...new Set([oldEmail, newEmail])].filter((email) => email !== null).sort()) {
    await lockAddress(db, email)
  }
  const account = await lockAccount(db, { providerId, userId: before?.userId ?? null, oldEmail, newEmail })
  // None if the account belongs to another person of the directory.
  const linked = account ? await db.query(link, { id, providerId, userId: account.id }) : []
  if (!account || linked.length === 0) {
    if (!values.active && before?.active !== false) warn?.('a directory switched off a person without an account here')
    return published
  }
  // An address that is only missing now does not move the account to a user name that differs.
  const isMissing = values.isByUserName && before !== null && oldEmail !== parseEmail(before.userName)
  if (!isMissing) await followAddress(db, auth, account, { providerId, oldEmail, newEmail, now }, published)
  if (values.active === account.isDeactivated) published.teams.push(...(await readTeamOf(db, account.id)))
  if (values.active) {
    await reactivateAccount(db, account.id, now)
    return published
  }
  const { ended, wasInFocus } = await deactivateAccount(db, account.id, now)
  published.sessions.push(...ended)
  if (wasInFocus) published.presences.push(account.id)
  return published
}

/** Follows only an address that the directory changes: a person may have changed theirs within the company. */
async function followAddress(
  db: Db,
  { companyPolicy }: AuthDeps,
  account: Account,
  { providerId, oldEmail, newEmail, now }: Write & { oldEmail: string | null; newEmail: string | null },
  published: Published,
): Promise<void> {
  if (oldEmail === null || newEmail === null || oldEmail === newEmail || account.email === newEmail) return
  const moved = await moveAccount(db, { userId: account.id, newEmail, providerId }, await companyPolicy(), now)
  if (moved === null) return
  published.teams.push(account.id, ...moved.disconnected)
  published.sessions.push(...moved.ended)
}

function publish({ sessionAlive, publish, mailer }: AuthDeps, { sessions, presences, teams }: Published): void {
  for (const id of sessions) sessionAlive.invalidate(id)
  for (const userId of presences) publish({ kind: 'presence', id: userId })
  for (const userId of new Set(teams)) publish({ kind: 'team', id: userId })
  mailer.kick()
}
