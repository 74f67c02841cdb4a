import { resolve } from 'node:path'
import { parseEmail } from '@deeb/core/account/email'
import { loadCompanyPolicy } from './account/company-policy.ts'
import { createPasswords } from './auth/password/hashing.ts'
import { backup, restore } from './backup/commands.ts'
import { type Config, readConfig } from './config.ts'
import type { Database } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { openConfigured } from './db/open.ts'
import { checkTotals, rebuildTotals } from './operator/totals.ts'
import { confirmUser, listUser, resetUser, signOutUser } from './operator/users.ts'
import { listClicks, listLeads } from './operator/visitors.ts'

const USAGE = `Usage: npm run deeb -- COMMAND
  user confirm EMAIL    make the account of a sign-up that waits, and print a link for its password
  user reset EMAIL      print a link with which the password is chosen anew
  user sign-out EMAIL   end all sessions
  user list EMAIL       show the account and where it is signed in
  totals check          prove that saved totals are what the sessions add up to
  totals rebuild        put right those that are not
  visitors leads        list the addresses that visitors left, with their list and time
  visitors clicks       list the clicks on the public pages
  backup FILE           write all data to a new file, while the server runs or not
  restore FILE          fill an empty database with it`

type Command = (db: Database, config: Config, email: string) => Promise<string[]>

const COMMANDS = new Map<string, Command>([
  ['user confirm', confirm],
  ['user reset', (db, { publicUrl }, email) => resetUser(db, email, publicUrl, new Date())],
  ['user sign-out', (db, _config, email) => signOutUser(db, email, new Date())],
  ['user list', (db, _config, email) => listUser(db, email)],
  ['totals check', checkTotals],
  ['totals rebuild', rebuildTotals],
  ['visitors leads', listLeads],
  ['visitors clicks', listClicks],
])

async function confirm(db: Database, config: Config, email: string): Promise<string[]> {
  const [policy, passwords] = await Promise.all([loadCompanyPolicy(config), createPasswords(config.argon2)])
  return confirmUser(db, email, { policy, passwords, publicUrl: config.publicUrl }, new Date())
}

const FILE_COMMANDS = new Map([
  ['backup', backup],
  ['restore', restore],
])

async function main([noun, verb, typed, ...rest]: string[]): Promise<void> {
  const onFile = FILE_COMMANDS.get(noun ?? '')
  if (onFile && verb && typed === undefined) {
    for (const line of await onFile(readConfig(process.env), resolve(verb))) console.log(line)
    return
  }
  const command = COMMANDS.get(`${noun} ${verb}`)
  const email = noun === 'user' ? parseEmail(typed ?? '') : ''
  const isComplete = noun === 'user' ? typed !== undefined : typed === undefined
  if (!command || email === null || !isComplete || rest.length > 0) throw new Error(USAGE)
  const config = readConfig(process.env)
  const db = await openConfigured(config, { isPatient: true })
  try {
    await migrate(db)
    for (const line of await command(db, config, email)) console.log(line)
  } finally {
    await db.close()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
