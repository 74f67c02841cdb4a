import { randomUUID } from 'node:crypto'
import { type Db, statement } from '../db/db.ts'

const add = statement(
  'test.add-company',
  `with provider as (
    insert into auth.sso_providers (id, key, name, issuer, client_id, created_at, updated_at)
    values (:id, :domain, 'Fjordlab', 'https://login.' || :domain, 'deeb', now(), now()) returning id
  )
  insert into auth.sso_domains (domain, provider_id, only_sso, created_at) select :domain, id, :onlySso, now() from provider`,
)

/** Gives a domain an identity provider, and returns the provider's id. */
export async function addCompany(db: Db, domain: string, { onlySso = false } = {}): Promise<string> {
  const id = randomUUID()
  await db.query(add, { id, domain, onlySso })
  return id
}

const addDomainStatement = statement(
  'test.add-domain',
  `insert into auth.sso_domains (domain, provider_id, only_sso, created_at) values (:domain, :providerId, false, now())`,
)

/** Gives a provider another domain. */
export async function addDomain(db: Db, domain: string, providerId: string): Promise<void> {
  await db.query(addDomainStatement, { domain, providerId })
}

const mark = statement(
  'test.mark-session',
  'update auth.sessions set sso_provider_id = :providerId where id = :sessionId',
)

/** Makes an auth session one that the provider opened. */
export async function markSession(db: Db, sessionId: string, providerId: string): Promise<void> {
  await db.query(mark, { sessionId, providerId })
}

const connect = statement(
  'test.connect-identity',
  `insert into auth.identities
    (id, user_id, provider, provider_id, identity_data, sso_provider_id, idp_refresh_token, created_at, updated_at)
  values (:id, :userId, 'sso:' || :providerId::uuid, :subject, jsonb_build_object('sub', :subject::text),
    :providerId, '\\x01', now(), now())`,
)

/** Connects an account with an identity of a provider, and returns the id of the identity. */
export async function connectIdentity(
  db: Db,
  { userId, providerId, subject = userId }: { userId: string; providerId: string; subject?: string },
): Promise<string> {
  const id = randomUUID()
  await db.query(connect, { id, userId, providerId, subject })
  return id
}

const setDeactivated = statement(
  'test.set-deactivated',
  'update auth.users set deactivated_at = case when :isDeactivated then now() end where id = :userId',
)

/** Deactivates an account or activates it again, as its company's directory does. */
export async function deactivate(db: Db, userId: string, isDeactivated = true): Promise<void> {
  await db.query(setDeactivated, { userId, isDeactivated })
}

const forgetPassword = statement(
  'test.forget-password',
  `with gone as (delete from auth.identities where user_id = :userId and provider = 'email')
  update auth.users set encrypted_password = null where id = :userId`,
)

/** Makes an account like one that a company sign-in created: without a password, with an identity of the provider only. */
export async function makePasswordless(db: Db, { userId, providerId }: { userId: string; providerId: string }) {
  await db.query(forgetPassword, { userId })
  await connectIdentity(db, { userId, providerId })
}
