import { type Db, statement } from '../db/db.ts'
import { tableLine } from './table-line.ts'

const leads = statement(
  'admin.leads',
  'select email, source, created_at as at, purpose from email_leads order by created_at, email, source',
)
const clicks = statement(
  'admin.clicks',
  'select button_name, page, user_session, created_at as at from click_analytics order by created_at, id',
)
const forget = statement('admin.forget-visitor', 'delete from email_leads where email = :email returning source')

/** Lists the addresses that visitors left, oldest first: address, list, time and purpose, separated by tabs. */
export async function listLeads(db: Db): Promise<string[]> {
  const rows = await db.query<{ email: string; source: string; at: Date; purpose: string | null }>(leads)
  if (rows.length === 0) return ['No visitor left an address.']
  return rows.map(({ email, source, at, purpose }) => tableLine(email, source, at, purpose ?? ''))
}

/** Lists the clicks on the public pages, oldest first: button, page, label and time, separated by tabs. */
export async function listClicks(db: Db): Promise<string[]> {
  const rows = await db.query<{ button_name: string; page: string; user_session: string; at: Date }>(clicks)
  if (rows.length === 0) return ['No click was counted.']
  return rows.map((row) => tableLine(row.button_name, row.page, row.user_session, row.at))
}

/** Deletes an address from all lists. Throws if it is on none. */
export async function forgetVisitor(db: Db, email: string): Promise<string[]> {
  const lists = await db.query<{ source: string }>(forget, { email })
  if (lists.length === 0) throw new Error(`${email} is on no list.`)
  const names = lists.map(({ source }) => source).sort()
  return [`Deleted ${email} from ${names.join(' and ')}.`]
}
