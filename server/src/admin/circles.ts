import { withCircleLock } from '../circles/circle.ts'
import { type Db, statement } from '../db/db.ts'
import { publishToServers } from '../live/postgres-bus.ts'
import { tableLine } from './table-line.ts'

const all = statement(
  'admin.circles',
  `select id, company_domain as "companyDomain", name, created_at as "createdAt",
    (select count(*)::int from circle_members where circle_id = circles.id) as members
  from circles order by company_domain, created_at, id`,
)

/** Lists all circles, one line each: id, company, name, number of members and time of creation, separated by tabs. Never the members. */
export async function listCircles(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string; companyDomain: string; name: string; createdAt: Date; members: number }>(
    all,
  )
  if (rows.length === 0) return ['There are no circles.']
  return rows.map(({ id, companyDomain, name, members, createdAt }) =>
    tableLine(id, companyDomain, name, String(members), createdAt),
  )
}

/* Compared as text: what an administrator types may be no id. */
const find = statement('admin.find-circle', 'select id, name from circles where id::text = :circleId')
const close = statement('admin.close-circle', 'delete from circles where id = :circleId')

/** Deletes a circle. Its members no longer see each other through it, immediately also on a running server. Throws if there is none. */
export async function closeCircle(db: Db, circleId: string): Promise<string[]> {
  const [circle] = await db.query<{ id: string; name: string }>(find, { circleId: circleId.toLowerCase() })
  if (!circle) throw new Error(`There is no circle ${circleId}.`)
  const members = await withCircleLock(db, circle.id, async (db, members) => {
    await db.query(close, { circleId: circle.id })
    return members
  })
  await publishToServers(db, { teamOf: members })
  return [`Closed the circle ${circle.name} of ${members.length} ${members.length === 1 ? 'person' : 'people'}.`]
}
