import type { OutputOf } from '@deeb/core/endpoint'
import type { createInvitation as endpoint } from '@deeb/core/invitations/api'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { signLink } from './signature.ts'

const readDomain = statement('invitations.domain', 'select company_domain as domain from profiles where id = :userId')

/** Signs the link that invites to the company of the actor. Stores nothing. Throws `not_found` without a company. */
export async function createInvitation(
  db: Db,
  keys: Pick<Keys, 'invitationKeys'>,
  { userId }: Actor,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [own] = await db.query<{ domain: string | null }>(readDomain, { userId })
  if (!own?.domain) throw new Refusal('not_found')
  return { signature: signLink(keys, { userId, domain: own.domain, circle: null }, now) }
}
