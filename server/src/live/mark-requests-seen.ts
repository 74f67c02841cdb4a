import { type Db, statement } from '../db/db.ts'

const mark = statement(
  'live.mark-requests-seen',
  `with newest as (
    select max(created_at) as at from team_connections where receiver_id = :userId and status = 'pending'
  )
  update profiles set requests_seen_until = at from newest
  where id = :userId and at > coalesce(requests_seen_until, '-infinity')`,
)

/** Notes that the user sees the pending requests to them, since the app is open: no email is sent about these. */
export async function markRequestsSeen(db: Db, userId: string): Promise<void> {
  await db.query(mark, { userId })
}
