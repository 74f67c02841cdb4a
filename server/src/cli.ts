import { text } from 'node:stream/consumers'
import { askServer } from './admin/ask-server.ts'
import { type Command, commandOf, onDatabase, USAGE } from './admin/commands.ts'
import { readConfig } from './config/config.ts'
import { withSecretFiles } from './config/secret-files.ts'
import { FolderHeld } from './db/folder-lock.ts'
import { printable } from './lib/printable.ts'
import { VERSION } from './version.ts'

/** Runs a command on the database, or in the server that has the embedded one open. Returns the lines to print. */
async function run(command: Command, env: NodeJS.ProcessEnv, words: string[]): Promise<string[]> {
  const config = readConfig(env)
  if (command.kind === 'alone') return command.run(config, env)
  try {
    return await onDatabase(config, (db) => command.run({ db, config, readInput: () => text(process.stdin) }))
  } catch (error) {
    if (!(error instanceof FolderHeld)) throw error
    return (await text(await askServer(config.dataDir, words))).split('\n')
  }
}

async function main(words: string[]): Promise<void> {
  if (words[0] === '--help' || words[0] === '-h' || words[0] === 'help') return console.log(USAGE)
  if (words[0] === '--version') return console.log(VERSION)
  const command = commandOf(words)
  const lines = await run(command, withSecretFiles(process.env), words)
  for (const line of lines) console.log(printable(line))
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(printable(error.message))
  process.exitCode = 1
})
