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
const lockPerson = statement('admin.lock-person', `select ${COLUMNS} from profiles where id = :userId for update`)

/**
 * Lists the profiles whose company differs from the current COMPANY_DOMAINS and FREE_MAIL_DOMAINS, one line each: address, company
 * and new company, separated by tabs. One sentence if there is none.
 */
export async function checkCompanies(db: Db, policy: CompanyPolicy): Promise<string[]> {
  return linesOf(await findMisplaced(db, policy), policy)
}

/**
 * Sets the company of these profiles and lists them like checkCompanies(). Connections across companies are deleted. The server may
 * run at the same time.
 */
export async function applyCompanies(db: Db, policy: CompanyPolicy, now: Date): Promise<string[]> {
  const moved: Person[] = []
  for (const { userId } of await findMisplaced(db, policy)) {
    const changed = await db.transaction(async (db) => {
      // The address may have changed concurrently, or the account was deleted.
      const [person] = await db.query<Person>(lockPerson, { userId })
      if (!person || isPlaced(person, policy)) return null
      moved.push(person)
      return moveProfile(db, person, policy, now)
    })
    if (!changed) continue
    const { disconnected, revoked } = changed
    await publishToServers(db, {
      teamOf: disconnected.length > 0 ? [userId, ...disconnected] : [],
      sessionIds: revoked,
    })
  }
  return linesOf(moved, policy)
}

/** The number of profiles that checkCompanies() lists. */
export async function countMisplaced(db: Db, policy: CompanyPolicy): Promise<number> {
  return (await findMisplaced(db, policy)).length
}

async function findMisplaced(db: Db, policy: CompanyPolicy): Promise<Person[]> {
  return (await db.query<Person>(people)).filter((person) => !isPlaced(person, policy))
}

function isPlaced({ email, companyDomain }: Person, policy: CompanyPolicy): boolean {
  return companyOf(email, policy) === companyDomain
}

function linesOf(people: Person[], policy: CompanyPolicy): string[] {
  if (people.length === 0) return ['All companies match the settings.']
  return people.map(({ email, companyDomain }) =>
    tableLine(email, companyDomain ?? '(none)', companyOf(email, policy) ?? '(none)'),
  )
}
