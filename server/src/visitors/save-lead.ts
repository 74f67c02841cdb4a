import { randomUUID } from 'node:crypto'
import { parseEmail } from '@deeb/core/account/email'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { saveLead as endpoint } from '@deeb/core/visitors/api'
import { type Db, statement } from '../db/db.ts'
import { Refusal } from '../refusal.ts'

const save = statement(
  'visitors.save-lead',
  `insert into email_leads (id, email, source, created_at) values (:id, :email, :source, :now)
  on conflict on constraint email_leads_once do nothing`,
)

/**
 * Stores the email address of a visitor, once per source, with the time of the first request. Refuses with `invalid_email`.
 * The response is the same for a known address: it must not reveal who is on the list (user enumeration).
 */
export async function saveLead(db: Db, input: InputOf<typeof endpoint>, now: Date): Promise<OutputOf<typeof endpoint>> {
  const email = parseEmail(input.email)
  if (email === null) throw new Refusal('invalid_email')
  await db.query(save, { id: randomUUID(), email, source: input.source, now })
  return { email, source: input.source }
}
