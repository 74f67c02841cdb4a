import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { type Db, statement } from '../db/db.ts'
import { publishToServers } from '../live/postgres-bus.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { tableLine } from './table-line.ts'

interface Person {
  userId: string
  email: string
  companyDomain: string | null
}

const COLUMNS = 'id as "userId", email, company_domain as "companyDomain"'
const people = statement('admin.people', `select ${COLUMNS} from profiles order by email`)
const hold = statement('admin.hold-person', `select ${COLUMNS} from profiles where id = :userId for update`)

/**
 * Whose company is another than the lists of free mail and of companies say now: they may have changed since the address was
 * confirmed. Address, company and the one it would be, with tabs between them; a sentence if there is nobody.
 */
export async function checkCompanies(db: Db, policy: CompanyPolicy): Promise<string[]> {
  return told(await findMisplaced(db, policy), policy)
}

/**
 * Gives them that company, and says the same of whom it moved. Who is no colleague any more is no connection either. People may
 * use the product meanwhile.
 */
export async function applyCompanies(db: Db, policy: CompanyPolicy): Promise<string[]> {
  const moved: Person[] = []
  for (const { userId } of await findMisplaced(db, policy)) {
    const parted = await db.transaction(async (db) => {
      // Meanwhile the address may be another, or nobody's.
      const [person] = await db.query<Person>(hold, { userId })
      if (!person || isPlaced(person, policy)) return []
      moved.push(person)
      return moveProfile(db, person, policy)
    })
    if (parted.length > 0) await publishToServers(db, { teamOf: [userId, ...parted], sessionIds: [] })
  }
  return told(moved, policy)
}

async function findMisplaced(db: Db, policy: CompanyPolicy): Promise<Person[]> {
  return (await db.query<Person>(people)).filter((person) => !isPlaced(person, policy))
}

function isPlaced({ email, companyDomain }: Person, policy: CompanyPolicy): boolean {
  return companyOf(email, policy) === companyDomain
}

function told(people: Person[], policy: CompanyPolicy): string[] {
  if (people.length === 0) return ['Everybody has the company that the settings say.']
  return people.map(({ email, companyDomain }) =>
    tableLine(email, companyDomain ?? '(none)', companyOf(email, policy) ?? '(none)'),
  )
}
