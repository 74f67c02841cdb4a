import type { readLink as endpoint, LinkInfo } from '@deeb/core/account/api'
import type { InputOf } from '@deeb/core/endpoint'
import { findLink } from '../auth/links/find-link.ts'
import type { Db } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * Returns the type and account of an email link, so that the screen can show them before the user opens it. Only a person who has
 * the link can read this. Throws `link_expired`.
 */
export async function readLink(db: Db, { token }: InputOf<typeof endpoint>, now: Date): Promise<LinkInfo> {
  const link = await findLink(db, token, now)
  if (!link) throw new Refusal('link_expired')
  return link
}
