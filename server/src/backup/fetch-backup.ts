import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeNewFile } from './new-file.ts'

export const BACKUP_PATH = '/admin/backup'

/** Has the server that runs on this machine make a backup, and writes it to `path`, which must not exist. */
export async function fetchBackup(origin: string, backupKey: string, path: string): Promise<void> {
  await makeNewFile(path, async (open) => {
    const headers = { authorization: `Admin ${backupKey}` }
    const answer = await fetch(origin + BACKUP_PATH, { method: 'POST', headers }).catch(() => null)
    if (!answer?.ok || !answer.body) {
      const what = answer ? `answers ${answer.status}` : 'does not answer'
      const advice = 'Name the PORT and DATA_DIR that it was started with'
      throw new Error(`The server at ${origin} ${what}. ${advice}, or stop it if its HOST is an address of a network.`)
    }
    // What ends too early is an error here: nothing takes the name that is not whole.
    await pipeline(Readable.fromWeb(answer.body), open())
  })
}
