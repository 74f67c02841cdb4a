import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { localSocket } from '../db/local-socket.ts'
import { makeNewFile } from './new-file.ts'
import { BACKUP_SOCKET } from './serve-backups.ts'

/** Requests a backup from the server that runs on `dataDir` and writes it to `path`, which must not exist. */
export async function fetchBackup(dataDir: string, path: string): Promise<void> {
  const socketPath = await localSocket(dataDir, BACKUP_SOCKET)
  await makeNewFile(path, async (open) => {
    const sending = request({ socketPath, agent: new Agent() }).end()
    const [answer] = (await once(sending, 'response').catch((error: Error) => {
      throw new Error(`The server on ${dataDir} made no backup (${error.message}). Look at its log, or stop it first.`)
    })) as [IncomingMessage]
    // A response that ends too early is an error here, so an incomplete file never gets the final name.
    await pipeline(answer, open())
  })
}
