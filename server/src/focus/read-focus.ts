import type { OutputOf } from '@deeb/core/endpoint'
import type { readFocus as endpoint } from '@deeb/core/focus/program-api'
import type { Db } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { readPresences } from '../presence/read-presences.ts'

/** Reads whether the user is in deeb mode. For programs: every screen has this in its own answer. */
export async function readFocus(db: Db, { userId }: Actor, now: Date): Promise<OutputOf<typeof endpoint>> {
  const [presence] = await readPresences(db, [userId], null)
  if (!presence) throw new Refusal('not_signed_in')
  return { ...presence.state, serverTime: now.toISOString() }
}
