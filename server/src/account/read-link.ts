import type { readLink as endpoint, LinkInfo } from '@deeb/core/account/api'
import type { InputOf } from '@deeb/core/endpoint'
import { findLink } from '../auth/links/find-link.ts'
import type { Db } from '../db/db.ts'
import { Refusal } from '../refusal.ts'

/** Says whom a link is for, so that nobody opens somebody else's unseen. Only whoever has the link can ask. */
export async function readLink(db: Db, { token }: InputOf<typeof endpoint>, now: Date): Promise<LinkInfo> {
  const link = await findLink(db, token, now)
  if (!link) throw new Refusal('link_expired')
  return link
}
