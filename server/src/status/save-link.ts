import { randomUUID } from 'node:crypto'
import { CHAT_SYSTEM_FACTS, type ChatSystem } from '@deeb/core/status/systems'
import { IS_USABLE, NEEDS_AAL2, USER_IS_BANNED } from '../auth/auth-session/auth-session.ts'
import { type Db, statement, violatedConstraint } from '../db/db.ts'
import type { Keys } from '../keys.ts'
import { chatLinkedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import { Refusal } from '../refusal.ts'
import type { Adapter, Identity } from './adapter.ts'
import { sealCredentials } from './credentials.ts'

/* Locks the account: one that is switched off concurrently gets no link afterwards. */
const lockOwner = statement(
  'status.lock-owner',
  `select users.id from auth.users join profiles on profiles.id = users.id
  where users.id = :userId and not ${USER_IS_BANNED}
    and exists (select from auth.sessions where sessions.id = :sessionId and sessions.user_id = :userId and ${IS_USABLE}
      and not ${NEEDS_AAL2})
    and not exists (select from status_hidden as hidden
      where hidden.company_domain = profiles.company_domain and hidden.system = :system)
  for share of users`,
)

/* An ended link of the same account would soon revoke the tokens that the new one uses. */
const forget = statement(
  'status.forget-ended',
  `delete from status_links
  where user_id is null and system = :system and workspace = :workspace and account_id = :accountId`,
)

/* The same account keeps its link with new tokens: what deeb shows there stays known. */
const renew = statement(
  'status.renew-link',
  `with renewed as (
    update status_links set credentials = :sealed, refused_at = null, refreshing_until = null, account_name = :accountName,
      workspace_name = :workspaceName, linked_at = :now, changed_at = :now
    where id = :linkId and user_id = :userId and workspace = :workspace and account_id = :accountId
    returning id
  )
  update status_signals set attempts = 0, next_try_at = '-infinity' from renewed where link_id = renewed.id returning link_id`,
)

const find = statement(
  'status.find-link',
  'select id as "linkId" from status_links where user_id = :userId and system = :system for update',
)

const end = statement(
  'status.end-link',
  'update status_links set user_id = null where user_id = :userId and system = :system returning id',
)

const insert = statement(
  'status.insert-link',
  `with link as (
    insert into status_links (id, user_id, system, workspace, account_id, account_name, workspace_name, credentials, changed_at, linked_at)
    values (:linkId, :userId, :system, :workspace, :accountId, :accountName, :workspaceName, :sealed, :now, :now)
    returning id
  ), signals as (
    insert into status_signals (link_id, part) select id, part from link cross join unnest(:parts::text[]) as part
  ), queues as (
    insert into status_queues (system, workspace, part) select :system, :workspace, part from link cross join unnest(:parts::text[]) as part
    on conflict do nothing
  )
  ${outboxInsert({ recipient: 'users.email', from: 'auth.users where id = :userId' })}`,
)

interface Linked {
  userId: string
  sessionId: string
  system: ChatSystem
  identity: Identity
}

/**
 * Connects a chat account: it replaces an earlier one of this system, which is cleared and revoked. Writes an email, since a thief of
 * an auth session could connect a chat of their own and see there when its owner is in deeb mode. Throws `chat_taken` if the
 * account belongs to another person, and `not_signed_in` if the auth session has ended or the company hides the system.
 */
export async function saveLink(
  { db, keys }: { db: Db; keys: Pick<Keys, 'sealKeys'> },
  adapter: Adapter,
  { userId, sessionId, system, identity }: Linked,
  now: Date,
): Promise<void> {
  const { accountId, workspace, credentials } = identity
  const names = { accountName: short(identity.accountName), workspaceName: short(identity.workspaceName) }
  const work = async (db: Db) => {
    const [owner] = await db.query(lockOwner, { userId, sessionId, system, now })
    if (!owner) throw new Refusal('not_signed_in')
    const [known] = await db.query<{ linkId: string }>(find, { userId, system })
    if (known) {
      const { linkId } = known
      const values = { linkId, userId, workspace, accountId, ...names, now }
      const [renewed] = await db.query(renew, { ...values, sealed: sealCredentials(keys, linkId, credentials) })
      if (renewed) return
      await db.query(end, { userId, system })
    }
    await db.query(forget, { system, workspace, accountId })
    const linkId = randomUUID()
    await db.query(insert, {
      ...{ linkId, userId, system, workspace, accountId, ...names, now },
      sealed: sealCredentials(keys, linkId, credentials),
      parts: Object.keys(adapter.parts),
      ...mailParams(chatLinkedMail(CHAT_SYSTEM_FACTS[system].name)),
    })
  }
  await db.transaction(work).catch((error: unknown) => {
    throw violatedConstraint(error) === 'status_links_account_idx' ? new Refusal('chat_taken') : error
  })
}

/** Names come from another system. */
function short(name: string | null): string | null {
  return name === null ? null : [...name.replaceAll(/\p{C}/gu, '')].slice(0, 100).join('')
}
