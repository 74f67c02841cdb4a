import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { quitConnection as endpoint } from '@deeb/core/team/api'
import type { Actor } from '../actor.ts'
import { type Db, statement } from '../db/db.ts'

const quit = statement(
  'team.quit',
  `delete from team_connections where id = :connectionId and :userId in (requester_id, receiver_id) and status = 'accepted'
  returning case when requester_id = :userId then receiver_id else requester_id end as "otherId"`,
)

/**
 * Deletes an accepted connection of the actor. Idempotent. `otherId` is the other user, or null if there was no connection.
 */
export async function quitConnection(
  db: Db,
  actor: Actor,
  { connectionId }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint> & { otherId: string | null }> {
  const [gone] = await db.query<{ otherId: string }>(quit, { userId: actor.userId, connectionId })
  return { quit: true, otherId: gone?.otherId ?? null }
}
