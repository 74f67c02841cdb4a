import type { ChatSystem } from '@deeb/core/status/systems'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { ChatError, type Credentials } from './adapter.ts'
import { freshCredentials } from './credentials.ts'
import type { Adapters } from './systems.ts'

const BATCH_SIZE = 10
const MAX_ATTEMPTS = 5

/* Of ended links, those whose status is cleared, and those that were refused before. */
const claim = statement(
  'status.claim-ended',
  `with due as (
    select id from status_links as link
    where user_id is null and next_try_at <= :now::timestamptz and (credentials is null or system = any(:systems::text[]))
      and not exists (select from status_signals where link_id = link.id and lease_until is not null)
    order by next_try_at limit ${BATCH_SIZE} for update skip locked
  )
  update status_links as link set attempts = attempts + 1, next_try_at = :now::timestamptz + interval '1 minute'
  from due where link.id = due.id
  returning link.id as "linkId", system, account_id as "accountId", credentials, attempts`,
)

const remove = statement('status.remove-link', 'delete from status_links where id = :linkId and user_id is null')

interface EndedLink {
  linkId: string
  system: ChatSystem
  accountId: string
  credentials: Buffer | null
  attempts: number
}

interface EndDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  adapters: Adapters
  now(): Date
  renewals: Map<string, Promise<Credentials>>
}

/**
 * Revokes and deletes the tokens of ended links whose status is cleared. Revoking is tried a few times, deleting never fails. The
 * purge deletes a link an hour after its end in any case.
 */
export async function endLinks(deps: EndDeps): Promise<Promise<void>[]> {
  const values = { now: deps.now(), systems: Object.keys(deps.adapters) }
  const ended = await deps.db.query<EndedLink>(claim, values)
  return ended.map((link) => end(deps, link))
}

async function end(
  deps: EndDeps,
  { linkId, system, accountId, credentials: sealed, attempts }: EndedLink,
): Promise<void> {
  const adapter = deps.adapters[system]
  try {
    if (adapter?.revoke && sealed) {
      const credentials = await freshCredentials(deps, adapter, { linkId, credentials: sealed })
      await adapter.revoke({ accountId, credentials })
    }
  } catch (error) {
    const mayRetry = error instanceof ChatError && error.advice === 'retry' && attempts < MAX_ATTEMPTS
    if (mayRetry) return
  }
  await deps.db.query(remove, { linkId })
}
