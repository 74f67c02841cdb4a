import { parseEmail } from '@deeb/core/account/email'
import { loadCompanyPolicy } from './account/company-policy.ts'
import { type Config, readConfig } from './config.ts'
import type { Database } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { openConfigured } from './db/open.ts'
import { checkTotals, rebuildTotals } from './operator/totals.ts'
import { confirmUser, listUser, resetUser, signOutUser } from './operator/users.ts'

const USAGE = `Usage: npm run deeb -- COMMAND
  user confirm EMAIL    make the account of a sign-up that waits, without the mail
  user reset EMAIL      print a link with which the password is chosen anew
  user sign-out EMAIL   end all sessions
  user list EMAIL       show the account and where it is signed in
  totals check          prove that saved totals are what the sessions add up to
  totals rebuild        put right those that are not`

type Command = (db: Database, config: Config, email: string) => Promise<string[]>

const USER_COMMANDS: Record<string, Command> = {
  confirm: async (db, config, email) => confirmUser(db, email, await loadCompanyPolicy(config), new Date()),
  reset: (db, config, email) => resetUser(db, email, config.publicUrl, new Date()),
  'sign-out': (db, _config, email) => signOutUser(db, email, new Date()),
  list: (db, _config, email) => listUser(db, email),
}

const TOTALS_COMMANDS: Record<string, Command> = { check: checkTotals, rebuild: rebuildTotals }

async function main([noun, verb, typed]: string[]): Promise<void> {
  const command = (noun === 'user' ? USER_COMMANDS : noun === 'totals' ? TOTALS_COMMANDS : {})[verb ?? '']
  const email = noun === 'user' ? parseEmail(typed ?? '') : ''
  if (!command || email === null) throw new Error(USAGE)
  const config = readConfig(process.env)
  const db = await openConfigured(config)
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
