import { resolve } from 'node:path'
import { parseEmail } from '@deeb/core/account/email'
import { applyCompanies, checkCompanies } from './admin/companies.ts'
import { printScimToken, requireSecondFactor, switchScimOff } from './admin/company.ts'
import { listFailedEmails } from './admin/failed-emails.ts'
import { checkTotals, rebuildTotals } from './admin/totals.ts'
import {
  blockUser,
  confirmUser,
  deleteUser,
  listUser,
  removeFactors,
  resetUser,
  signOutUser,
  unblockUser,
} from './admin/users.ts'
import { forgetVisitor, listClicks, listLeads } from './admin/visitors.ts'
import { createPasswords } from './auth/password/hashing.ts'
import { backup, restore } from './backup/commands.ts'
import { type Config, readConfig } from './config.ts'
import type { Database } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { openConfigured } from './db/open.ts'
import { printable } from './printable.ts'
import { loadCompanyPolicy } from './profile/company-policy.ts'

const USAGE = `Usage: npm run admin -- COMMAND
  user confirm EMAIL     create the account of an unconfirmed sign-up, and print a link to set its password
  user reset EMAIL       print a link to set a new password
  user sign-out EMAIL    end all sign-ins of the account
  user factors remove EMAIL  remove all second factors and passkeys, for a person who lost them
  user block EMAIL       end all sign-ins and refuse new ones
  user unblock EMAIL     allow sign-in again
  user delete EMAIL      delete the account and all data about it; this cannot be undone
  user list EMAIL        show the account and where it is signed in
  companies check        list the people whose company differs from the settings
  companies apply        give these people the company that the settings say
  company scim KEY       print a token for the directory of a company, once; older ones work for 7 more days
  company scim-off KEY   remove the tokens of the directory of a company
  company require-second-factor DOMAIN on|off  require a second factor or a passkey, from 14 days later on
  mail failed            list emails that could not be delivered, and why
  totals check           compare the saved totals with the sessions they add up to
  totals rebuild         correct the totals that differ
  visitors leads         list the email addresses that visitors left, and what they asked for
  visitors forget EMAIL  delete an address from all lists of visitors
  visitors clicks        list the clicks on the public pages
  backup FILE            write all data to a new file, while the server runs or not
  restore FILE           fill an empty database from a backup`

type Print = Promise<string[]>

const ON_FILE = new Map([
  ['backup', backup],
  ['restore', restore],
])

const ON_ALL = new Map<string, (db: Database, config: Config) => Print>([
  ['companies check', async (db, config) => checkCompanies(db, await loadCompanyPolicy(config))],
  ['companies apply', async (db, config) => applyCompanies(db, await loadCompanyPolicy(config))],
  ['mail failed', listFailedEmails],
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
  ['visitors forget', forgetVisitor],
])

/** The commands about one company, with their arguments. */
const ON_COMPANY = new Map<string, { arity: number; work: (db: Database, args: string[], config: Config) => Print }>([
  ['scim', { arity: 1, work: (db, [key = ''], config) => printScimToken(db, key, config, new Date()) }],
  ['require-second-factor', { arity: 2, work: requireFactor }],
  ['scim-off', { arity: 1, work: (db, [key = '']) => switchScimOff(db, key, new Date()) }],
])

async function confirm(db: Database, email: string, config: Config): Print {
  const deps = {
    policy: await loadCompanyPolicy(config),
    passwords: createPasswords(config.argon2),
    publicUrl: config.publicUrl,
  }
  return confirmUser(db, email, deps, new Date())
}

async function requireFactor(db: Database, [domain = '', word]: string[], config: Config): Print {
  if (word !== 'on' && word !== 'off') throw new Error(USAGE)
  return requireSecondFactor(db, { domain, isOn: word === 'on' }, await loadCompanyPolicy(config), new Date())
}

/** Finds the command for these arguments. Throws the usage text if there is none. */
function commandOf(words: string[]): (config: Config) => Print {
  const [name, last = ''] = [words.slice(0, -1).join(' '), words.at(-1)]
  const [onFile, onAll, onAddress] = [ON_FILE.get(name), ON_ALL.get(words.join(' ')), ON_ADDRESS.get(name)]
  const email = parseEmail(last)
  if (onFile && last) return (config) => onFile(config, resolve(last))
  if (onAll) return (config) => onDatabase(config, (db) => onAll(db, config))
  const [group, command = '', ...args] = words
  const onCompany = group === 'company' ? ON_COMPANY.get(command) : undefined
  if (onCompany?.arity === args.length) return (config) => onDatabase(config, (db) => onCompany.work(db, args, config))
  if (onAddress && email !== null) return (config) => onDatabase(config, (db) => onAddress(db, email, config))
  throw new Error(USAGE)
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
  const command = commandOf(words)
  for (const line of await command(readConfig(process.env))) console.log(printable(line))
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(printable(error.message))
  process.exitCode = 1
})
