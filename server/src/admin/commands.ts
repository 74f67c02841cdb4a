import { parseEmail } from '@deeb/core/account/email'
import { createPasswords } from '../auth/password/hashing.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/db.ts'
import { acceptSecret } from '../db/known-secret.ts'
import { migrate } from '../db/migrate.ts'
import { openConfigured } from '../db/open.ts'
import { loadCompanyPolicy } from '../profile/company-policy.ts'
import { backup, restore } from './backups.ts'
import { caseOrder, printCases } from './cases.ts'
import { closeCircle, listCircles } from './circles.ts'
import { applyCompanies, checkCompanies } from './companies.ts'
import { COMPANY_USAGE, companyCommand } from './company.ts'
import { dataAsMarkdown } from './data.ts'
import { listFailedEmails, retryFailedEmails } from './failed-emails.ts'
import { PROGRAM } from './program.ts'
import { settingsInUse } from './settings.ts'
import { checkTotals, rebuildTotals } from './totals.ts'
import {
  blockUser,
  confirmUser,
  deleteUser,
  listPeople,
  listUser,
  removeFactors,
  resetUser,
  signOutUser,
  unblockUser,
  unlinkUser,
} from './users.ts'
import { forgetVisitor, listClicks, listLeads } from './visitors.ts'

/** The help of the administration commands. */
export const USAGE = `Usage: ${PROGRAM} COMMAND
  user confirm EMAIL     create the account of an unconfirmed sign-up, and print a link to set its password
  user reset EMAIL       print a link to set a new password
  user sign-out EMAIL    end all sign-ins of the account
  user factors remove EMAIL  remove all second factors and passkeys, for a person who lost them
  user block EMAIL       end all sign-ins and refuse new ones
  user unblock EMAIL     allow sign-in again
  user delete EMAIL      delete the account and all data about it; this cannot be undone
  user list EMAIL        show the account and where it is signed in
  user list DOMAIN       list the accounts of a company: last seen, second factor
  user unlink EMAIL      disconnect the company account, for a person whose company made a new one
${COMPANY_USAGE}
  companies check        list the people whose company differs from the settings
  companies apply        give these people the company that the settings say
  circles list           list the circles with their number of members, but never the members
  circles close ID       delete a circle; its members no longer see each other through it
  cases print DOMAIN COUNT [--language de] > FILE.html  make codes that people of the company can claim, as a page to print
  mail failed            list emails that could not be delivered, and why
  mail retry             send them now, for example after the mail server was down
  totals check           compare the saved totals with the sessions they add up to
  totals rebuild         correct the totals that differ
  visitors leads         list the email addresses that visitors left, and what they asked for
  visitors forget EMAIL  delete an address from all lists of visitors
  visitors clicks        list the clicks on the public pages
  data [--language de]   what the database keeps, for how long and who sees it, as Markdown
  settings               today's value of every setting, as Markdown; secrets are only shown as set
  secret lost            start with another secret, if the old one is lost or was stolen; signs everybody out
  backup FILE            write all data to a new file, or for - to standard output, while the server runs or not
  restore FILE           fill an empty database from a backup, or for - from standard input`

/** The lines to print. */
type Lines = Promise<string[]>

/** The database and the settings of the server, for a command that may run in its process. */
export interface Server {
  db: Database
  config: Config
  /** Reads standard input to its end. */
  readInput(): Promise<string>
}

/** `alone`: opens the database itself, if it needs one, and not in the process of a server. */
export type Command =
  | { kind: 'alone'; run(config: Config, env: NodeJS.ProcessEnv): Lines }
  | { kind: 'on a server'; run(server: Server): Lines }

const ALONE = new Map<string, (config: Config, env: NodeJS.ProcessEnv) => Lines>([
  ['data', () => listData('en')],
  ['data --language en', () => listData('en')],
  ['data --language de', () => listData('de')],
  ['settings', async (_config, env) => settingsInUse(env)],
  // A running server has the keys of another secret.
  ['secret lost', (config) => onDatabase(config, (db) => acceptSecret(db, config, new Date()))],
])

const ON_FILE = new Map<string, (config: Config, name: string, env: NodeJS.ProcessEnv) => Lines>([
  ['backup', backup],
  ['restore', restore],
])

const ON_ALL = new Map<string, (db: Database, config: Config) => Lines>([
  ['companies check', async (db, config) => checkCompanies(db, await loadCompanyPolicy(config))],
  ['companies apply', async (db, config) => applyCompanies(db, await loadCompanyPolicy(config), new Date())],
  ['circles list', listCircles],
  ['mail failed', listFailedEmails],
  ['mail retry', retryFailedEmails],
  ['totals check', checkTotals],
  ['totals rebuild', rebuildTotals],
  ['visitors leads', listLeads],
  ['visitors clicks', listClicks],
])

const ON_ADDRESS = new Map<string, (db: Database, email: string, config: Config) => Lines>([
  ['user confirm', confirm],
  ['user reset', (db, email, { publicUrl }) => resetUser(db, email, publicUrl, new Date())],
  ['user sign-out', (db, email) => signOutUser(db, email, new Date())],
  ['user factors remove', (db, email) => removeFactors(db, email, new Date())],
  ['user block', (db, email) => blockUser(db, email, new Date())],
  ['user unblock', (db, email) => unblockUser(db, email, new Date())],
  ['user delete', deleteUser],
  ['user list', listUser],
  ['user unlink', (db, email) => unlinkUser(db, email, new Date())],
  ['visitors forget', forgetVisitor],
])

const ON_ID = new Map<string, (db: Database, id: string) => Lines>([['circles close', closeCircle]])

async function listData(language: 'en' | 'de'): Lines {
  return (await dataAsMarkdown(language)).split('\n')
}

async function confirm(db: Database, email: string, config: Config): Lines {
  const deps = {
    policy: await loadCompanyPolicy(config),
    passwords: createPasswords(config.argon2),
    publicUrl: config.publicUrl,
  }
  return confirmUser(db, email, deps, new Date())
}

const DOMAIN = /^[\w.-]+\.[a-z-]{2,}$/i

/** Finds the command for these arguments. Throws a sentence, and the commands that begin alike, if there is none. */
export function commandOf(words: string[]): Command {
  const alone = ALONE.get(words.join(' '))
  if (alone) return { kind: 'alone', run: alone }
  const [name, last = ''] = [words.slice(0, -1).join(' '), words.at(-1)]
  const onFile = ON_FILE.get(name)
  if (onFile && last) return { kind: 'alone', run: (config, env) => onFile(config, last, env) }
  return { kind: 'on a server', run: serverCommandOf(words, name, last) }
}

function serverCommandOf(words: string[], name: string, last: string): (server: Server) => Lines {
  const onCompany = words[0] === 'company' ? companyCommand(words.slice(1)) : null
  if (onCompany) return ({ db, config, readInput }) => onCompany(db, config, readInput)
  const order = words.slice(0, 2).join(' ') === 'cases print' ? caseOrder(words.slice(2)) : null
  if (order) return ({ db, config }) => printCases(db, order, config.publicUrl, new Date())
  const onAll = ON_ALL.get(words.join(' '))
  if (onAll) return ({ db, config }) => onAll(db, config)
  const [onAddress, email] = [ON_ADDRESS.get(name), parseEmail(last)]
  if (onAddress && email !== null) return ({ db, config }) => onAddress(db, email, config)
  const onId = ON_ID.get(name)
  if (onId && last) return ({ db }) => onId(db, last)
  if (name === 'user list' && DOMAIN.test(last)) return ({ db }) => listPeople(db, last.toLowerCase())
  throw new Error(wrongUse(words))
}

/** Describes the fault of the arguments. */
function wrongUse(words: string[]): string {
  const [first = ''] = words
  const alike = USAGE.split('\n').filter((line) => line.startsWith(`  ${first} `))
  if (first === '') return USAGE
  if (alike.length === 0) return `There is no command "${first}".\n${USAGE}`
  return [`"${words.join(' ')}" is not complete, or no command. Those of "${first}":`, ...alike].join('\n')
}

/** Runs `work` on the configured database. Throws `FolderHeld` if a server has its embedded database open. */
export async function onDatabase(config: Config, work: (db: Database) => Lines): Lines {
  const db = await openConfigured(config, { isPatient: true })
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.close()
  }
}
