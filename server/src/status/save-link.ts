import { randomUUID } from 'node:crypto'
import { CHAT_SYSTEM_FACTS, type ChatSystem } from '@deeb/core/status/systems'
import * as v from 'valibot'
import { IS_USABLE, NEEDS_AAL2, USER_IS_BANNED } from '../auth/auth-session/auth-session.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement, violatedConstraint } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { chatLinkedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
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

/*
 * The link of the person in this system, and an ended one of the same account: its end would revoke the tokens that the new one uses, and
 * it knows what deeb shows there.
 */
const find = statement(
  'status.find-links',
  `select id as "linkId", user_id is not null as "isOwn", workspace = :workspace and account_id = :accountId as "isSame"
  from status_links
  where system = :system and (user_id = :userId or user_id is null and workspace = :workspace and account_id = :accountId)
  order by user_id is null
  for update`,
)

interface FoundLink {
  linkId: string
  isOwn: boolean
  /** Whether it is a link of the same account. */
  isSame: boolean
}

/* An ended link has forgotten its settings. */
const renew = statement(
  'status.renew-link',
  `with renewed as (
    update status_links set user_id = :userId, credentials = :sealed, refused_at = null, refreshing_until = null, ended_at = null,
      is_on = is_on or user_id is null, account_name = :accountName, workspace_name = :workspaceName, linked_at = :now,
      changed_at = :now
    where id = :linkId
    returning id
  )
  update status_signals set attempts = 0, next_try_at = '-infinity' from renewed where link_id = renewed.id`,
)

const end = statement('status.end-link', 'update status_links set user_id = null where id = :linkId')

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
  select id from link`,
)

const writeMail = statement(
  'status.linked-email',
  outboxInsert({ recipient: 'email', from: 'auth.users where id = :userId' }),
)

const Id = v.pipe(v.string(), v.regex(/^\P{C}{1,300}$/u))

/** The form in which the answer of another system about an account is stored. A server that a person typed may say anything. */
const Storable = v.object({
  accountId: Id,
  workspace: Id,
  accountName: v.nullable(v.string()),
  workspaceName: v.nullable(v.string()),
})

interface Linked {
  userId: string
  sessionId: string
  system: ChatSystem
  identity: Identity
}

/**
 * Connects a chat account. It replaces another account of this system, which is cleared and revoked; the same one gets new tokens. Writes an email, since a thief of
 * an auth session could connect a chat of their own and see there when its owner is in deeb mode. Throws `chat_refused` for an identity that no chat has, `chat_taken` if the
 * account belongs to another person, and `not_signed_in` if the auth session has ended or the company hides the system.
 */
export async function saveLink(
  { db, keys }: { db: Db; keys: Pick<Keys, 'sealKeys'> },
  adapter: Adapter,
  { userId, sessionId, system, identity }: Linked,
  now: Date,
): Promise<void> {
  const read = v.safeParse(Storable, identity)
  if (!read.success) throw new Refusal('chat_refused')
  const { accountId, workspace, accountName, workspaceName } = read.output
  const { credentials } = identity
  const names = { accountName: short(accountName), workspaceName: short(workspaceName) }
  const work = async (db: Db) => {
    const [owner] = await db.query(lockOwner, { userId, sessionId, system, now })
    if (!owner) throw new Refusal('not_signed_in')
    const found = await db.query<FoundLink>(find, { userId, system, workspace, accountId })
    const same = found.find(({ isSame }) => isSame)
    const other = found.find(({ isOwn, isSame }) => isOwn && !isSame)
    if (other) await db.query(end, { linkId: other.linkId })
    const linkId = same?.linkId ?? randomUUID()
    const values = { linkId, userId, ...names, sealed: sealCredentials(keys, linkId, credentials), now }
    const parts = Object.keys(adapter.parts)
    if (same) await db.query(renew, values)
    else await db.query(insert, { ...values, system, workspace, accountId, parts })
    const mail = mailParams(chatLinkedMail(CHAT_SYSTEM_FACTS[system].name))
    if (!same?.isOwn) await db.query(writeMail, { userId, ...mail, now })
  }
  await db.transaction(work).catch((error: unknown) => {
    throw violatedConstraint(error) === 'status_links_account_idx' ? new Refusal('chat_taken') : error
  })
}

function short(name: string | null): string | null {
  return name === null ? null : [...name.replaceAll(/\p{C}/gu, '')].slice(0, 100).join('')
}
