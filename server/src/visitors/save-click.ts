import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { saveClick as endpoint } from '@deeb/core/visitors/api'
import { type Db, statement } from '../db/db.ts'

const save = statement(
  'visitors.save-click',
  `insert into click_analytics (id, button_name, page, user_session, created_at)
  values (:id, :buttonName, :page, :userSession, :now)`,
)

/** Stores one click, without the IP address or anything else about its sender. */
export async function saveClick(
  db: Db,
  { buttonName, page, userSession }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(save, { id: randomUUID(), buttonName, page, userSession, now })
  return { buttonName, page, userSession }
}
