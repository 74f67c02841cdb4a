import type { InputOf } from '@deeb/core/endpoint'
import type { beginStatusLink as endpoint } from '@deeb/core/status/api'
import type { ChatSystem } from '@deeb/core/status/systems'
import { IS_PROVEN } from '../auth/proof.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { beginFlow } from './link-flow.ts'
import type { Adapters } from './systems.ts'

const read = statement(
  'status.may-link',
  `select ${IS_PROVEN} as "isProven", exists (select from status_hidden as hidden join profiles using (company_domain)
    where profiles.id = :userId and hidden.system = :system) as "isHidden"
  from auth.sessions where sessions.id = :sessionId and sessions.user_id = :userId`,
)

/** The address at a chat system to which it sends a person back. */
export function statusCallback(publicUrl: string, system: ChatSystem): string {
  return `${publicUrl}/api/status/callback/${system}`
}

/** Throws `not_found` for a system that the company hides, and `proof_needed` without a recent re-authentication. */
export async function requireMayLink(
  db: Db,
  { userId, sessionId }: SignedInActor,
  system: ChatSystem,
  now: Date,
): Promise<void> {
  const [row] = await db.query<{ isProven: boolean; isHidden: boolean }>(read, { userId, sessionId, system, now })
  if (!row) throw new Refusal('not_signed_in')
  if (row.isHidden) throw new Refusal('not_found')
  if (!row.isProven) throw new Refusal('proof_needed')
}

interface BeginDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  adapters: Adapters
  publicUrl: string
}

/** Begins to connect a chat system by OAuth. Stores nothing. Returns the address there, and the flow cookie to set. */
export async function beginStatusLink(
  { db, keys, adapters, publicUrl }: BeginDeps,
  actor: SignedInActor,
  { system }: InputOf<typeof endpoint>,
  flowCookie: string | null,
  now: Date,
): Promise<{ url: string; cookie: string }> {
  const oauth = adapters[system]?.oauth
  if (!oauth) throw new Refusal('not_found')
  await requireMayLink(db, actor, system, now)
  const { userId, sessionId } = actor
  const { state, challenge, cookie } = beginFlow(keys, { system, userId, sessionId, flowCookie }, now)
  const url = oauth.authorizeUrl({ redirectUri: statusCallback(publicUrl, system), state, challenge })
  return { url, cookie }
}
