import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEmail } from '@deeb/core/account/email'
import { closeCircle, listCircles } from './admin/circles.ts'
import { applyCompanies, checkCompanies } from './admin/companies.ts'
import { COMPANY_USAGE, companyCommand } from './admin/company.ts'
import { dataAsMarkdown } from './admin/data.ts'
import { listFailedEmails, retryFailedEmails } from './admin/failed-emails.ts'
import { PROGRAM } from './admin/program.ts'
import { settingsInUse } from './admin/settings.ts'
import { checkTotals, rebuildTotals } from './admin/totals.ts'
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
} from './admin/users.ts'
import { forgetVisitor, listClicks, listLeads } from './admin/visitors.ts'
import { createPasswords } from './auth/password/hashing.ts'
import { backup, restore } from './backup/commands.ts'
import { type Config, readConfig } from './config/config.ts'
import { withSecretFiles } from './config/secret-files.ts'
import type { Database } from './db/db.ts'
import { acceptSecret } from './db/known-secret.ts'
import { migrate } from './db/migrate.ts'
import { openConfigured } from './db/open.ts'
import { printable } from './lib/printable.ts'
import { loadCompanyPolicy } from './profile/company-policy.ts'

const USAGE = `Usage: ${PROGRAM} COMMAND
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
  backup FILE            write all data to a new file, while the server runs or not
  restore FILE           fill an empty database from a backup`

type Print = Promise<string[]>

const ON_FILE = new Map([
  ['backup', backup],
  ['restore', restore],
])

const WITHOUT_DATABASE = new Map<string, () => Print>([
  ['data', () => listData('en')],
  ['data --language en', () => listData('en')],
  ['data --language de', () => listData('de')],
  ['settings', async () => settingsInUse(withSecretFiles(process.env))],
])

const ON_ALL = new Map<string, (db: Database, config: Config) => Print>([
  ['companies check', async (db, config) => checkCompanies(db, await loadCompanyPolicy(config))],
  ['companies apply', async (db, config) => applyCompanies(db, await loadCompanyPolicy(config), new Date())],
  ['circles list', listCircles],
  ['mail failed', listFailedEmails],
  ['mail retry', retryFailedEmails],
  ['secret lost', (db, config) => acceptSecret(db, config, new Date())],
  ['totals check', checkTotals],
  ['totals rebuild', rebuildTotals],
  ['visitors leads', listLeads],
  ['visitors clicks', listClicks],
])

const ON_ADDRESS = new Map<string, (db: Database, email: string, config: Config) => Print>([
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

const ON_ID = new Map<string, (db: Database, id: string) => Print>([['circles close', closeCircle]])

async function listData(language: 'en' | 'de'): Print {
  return (await dataAsMarkdown(language)).split('\n')
}

async function confirm(db: Database, email: string, config: Config): Print {
  const deps = {
    policy: await loadCompanyPolicy(config),
    passwords: createPasswords(config.argon2),
    publicUrl: config.publicUrl,
  }
  return confirmUser(db, email, deps, new Date())
}

const DOMAIN = /^[\w.-]+\.[a-z-]{2,}$/i

/** Finds the command for these arguments. Throws a sentence, and the commands that begin alike, if there is none. */
function commandOf(words: string[]): (config: Config) => Print {
  const [name, last = ''] = [words.slice(0, -1).join(' '), words.at(-1)]
  const [onFile, onAll] = [ON_FILE.get(name), ON_ALL.get(words.join(' '))]
  const withoutDatabase = WITHOUT_DATABASE.get(words.join(' '))
  const [onAddress, onId] = [ON_ADDRESS.get(name), ON_ID.get(name)]
  const email = parseEmail(last)
  const onCompany = words[0] === 'company' ? companyCommand(words.slice(1)) : null
  if (onCompany) return (config) => onDatabase(config, (db) => onCompany(db, config, () => text(process.stdin)))
  if (withoutDatabase) return withoutDatabase
  if (onFile && last) return (config) => onFile(config, resolve(last))
  if (onAll) return (config) => onDatabase(config, (db) => onAll(db, config))
  if (onAddress && email !== null) return (config) => onDatabase(config, (db) => onAddress(db, email, config))
  if (onId && last) return (config) => onDatabase(config, (db) => onId(db, last))
  if (name === 'user list' && DOMAIN.test(last)) {
    return (config) => onDatabase(config, (db) => listPeople(db, last.toLowerCase()))
  }
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

async function onDatabase(config: Config, work: (db: Database) => Print): Print {
  const db = await openConfigured(config, { isPatient: true })
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.close()
  }
}

async function main(words: string[]): Promise<void> {
  if (words[0] === '--help' || words[0] === '-h' || words[0] === 'help') return console.log(USAGE)
  const command = commandOf(words)
  for (const line of await command(readConfig(withSecretFiles(process.env)))) console.log(printable(line))
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(printable(error.message))
  process.exitCode = 1
})
