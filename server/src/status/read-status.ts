import type { OutputOf } from '@deeb/core/endpoint'
import type { readStatus as endpoint } from '@deeb/core/status/api'
import { CHAT_SYSTEMS, type ChatSystem } from '@deeb/core/status/systems'
import { type Db, lookup } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { type Adapters, offered } from './systems.ts'

const read = lookup(
  'status.read',
  `select system, account_name as "accountName", workspace_name as "workspaceName", is_on as "isOn", with_dnd as "withDnd", words,
    refused_at is not null as "isRefused", test_until as "testUntil", last.result, last.result_at as "resultAt"
  from status_links as link left join lateral (
    select result, result_at from status_signals where link_id = link.id and result_at is not null
    order by result_at desc, result = 'failed' desc, part desc limit 1
  ) as last on true
  where user_id = :userId`,
)

const readHidden = lookup(
  'status.read-hidden',
  'select system from status_hidden join profiles using (company_domain) where profiles.id = :userId',
)

type Link = NonNullable<OutputOf<typeof endpoint>['systems'][number]['link']>
type Result = NonNullable<Link['last']>['result']

interface Row extends Omit<Link, 'testUntil' | 'last'> {
  system: ChatSystem
  testUntil: Date | null
  result: Result | null
  resultAt: Date | null
}

/** The chat systems that the actor can connect, and those that they have connected. */
export async function readStatus(db: Db, { userId }: Actor, adapters: Adapters): Promise<OutputOf<typeof endpoint>> {
  const [rows, hidden] = await Promise.all([
    db.query<Row>(read, { userId }),
    db.query<{ system: ChatSystem }>(readHidden, { userId }),
  ])
  const isOffered = (system: ChatSystem) =>
    offered(adapters).includes(system) && !hidden.some((row) => row.system === system)
  const systems = CHAT_SYSTEMS.map((system) => {
    const row = rows.find((one) => one.system === system)
    return { system, isOffered: isOffered(system), link: row ? linkOf(row) : null }
  })
  return { systems: systems.filter(({ isOffered, link }) => isOffered || link) }
}

function linkOf({ system, result, resultAt, testUntil, ...link }: Row): Link {
  const last = result && resultAt ? { result, at: resultAt.toISOString() } : null
  return { ...link, testUntil: testUntil?.toISOString() ?? null, last }
}
