import { randomUUID } from 'node:crypto'
import { parseEmail } from '@deeb/core/account/email'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { saveLead as endpoint } from '@deeb/core/visitors/api'
import { type Db, statement } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'

const save = statement(
  'visitors.save-lead',
  `insert into email_leads (id, email, source, purpose, created_at) values (:id, :email, :source, :purpose, :now)
  on conflict on constraint email_leads_once
  do update set purpose = excluded.purpose where excluded.purpose <> coalesce(email_leads.purpose, '')`,
)

/**
 * Stores the email address of a visitor, once per source, with the time of the first request and the purpose of the last. Refuses
 * with `invalid_email`. The response is the same for a known address: it must not reveal who is on the list (user enumeration).
 */
export async function saveLead(db: Db, input: InputOf<typeof endpoint>, now: Date): Promise<OutputOf<typeof endpoint>> {
  const email = parseEmail(input.email)
  if (email === null) throw new Refusal('invalid_email')
  const { source, purpose } = input
  await db.query(save, { id: randomUUID(), email, source, purpose: purpose ?? null, now })
  return { email, source, purpose }
}
