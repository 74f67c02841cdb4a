import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { streamBackup } from '../backup/write-backup.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/db.ts'
import { localSocket } from '../db/local-socket.ts'
import type { Publish } from '../lib/event-bus.ts'
import { ADMIN_SOCKET, BACKUP } from './ask-server.ts'
import { commandOf } from './commands.ts'

const CUT_AFTER_MS = 3_000

interface Deps {
  config: Config
  db: Database
  publish: Publish
  now(): Date
  onError(error: unknown): void
}

/**
 * Runs administration commands on the embedded database, which only this process can open, until the returned function is called. On a
 * socket in DATA_DIR: only the user of the server and root can open it, so neither side needs a key. Call it while the folder is locked.
 *
 * A request is `POST /?words=...`, each word once. The answer is what to print, 400 with what is wrong, or a backup. Standard input is the
 * body, which is asked for by 100 Continue: a command that does not read it leaves it to the caller's shell.
 */
export async function serveCommands(deps: Deps): Promise<() => Promise<void>> {
  const socket = await localSocket(deps.config.dataDir, ADMIN_SOCKET)
  // Of a process that was killed.
  if (process.platform !== 'win32') await rm(socket, { force: true })
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const words = new URL(request.url ?? '', 'http://localhost').searchParams.getAll('words')
    const isBackup = words.join(' ') === BACKUP.join(' ')
    const answered = isBackup ? sendBackup(deps, response) : runCommand(deps, words, request, response)
    answered.catch((error) => {
      deps.onError(error)
      response.destroy()
    })
  }
  const server = createServer(answer).on('checkContinue', answer).unref()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve))
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      // A slow reader does not delay the shutdown.
      setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS).unref()
    })
}

async function runCommand(
  { config, db, publish }: Deps,
  words: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  function readInput(): Promise<string> {
    response.writeContinue()
    return text(request)
  }
  const [status, lines] = await Promise.resolve()
    .then(() => {
      const command = commandOf(words)
      if (command.kind === 'alone') throw new Error('A server is running on this database. Stop it first.')
      return command.run({ db, config, readInput })
    })
    .then((lines) => [200, lines.join('\n')] as const)
    .catch((error: Error) => [400, error.message] as const)
  // The command may have changed anything, and published it to other processes only.
  publish({ kind: 'missed' })
  response.writeHead(status).end(lines)
}

/** The embedded database is blocked during a backup and must not wait for a slow reader: the backup is made first. */
async function sendBackup(deps: Deps, response: ServerResponse): Promise<void> {
  const file = await makeBackup(deps)
  await pipeline(file.createReadStream({ start: 0 }), response)
}

/** Writes a backup into a file without a name. */
async function makeBackup({ config, db, now }: Deps): Promise<FileHandle> {
  const path = join(config.dataDir, `backup-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    // The open file stays usable after its removal, and is freed when it is closed, also after a crash.
    await rm(path)
    // By file descriptor: a stream of the FileHandle would keep it from being closed.
    await streamBackup(db, () => createWriteStream('', { fd: file.fd, autoClose: false }), now())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
