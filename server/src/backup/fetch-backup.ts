import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeNewFile } from './new-file.ts'

export const BACKUP_PATH = '/admin/backup'

/** Requests a backup from the running server on this machine and writes it to `path`, which must not exist. */
export async function fetchBackup(origin: string, backupKey: string, path: string): Promise<void> {
  await makeNewFile(path, async (open) => {
    const headers = { authorization: `Admin ${backupKey}` }
    const answer = await fetch(origin + BACKUP_PATH, { method: 'POST', headers }).catch(() => null)
    if (!answer?.ok || !answer.body) {
      const what = answer ? `responds ${answer.status}` : 'does not respond'
      const advice = 'Use the same PORT and DATA_DIR as the server'
      throw new Error(`The server at ${origin} ${what}. ${advice}, or stop it first if its HOST is a network address.`)
    }
    // A response that ends too early is an error here, so an incomplete file never gets the final name.
    await pipeline(Readable.fromWeb(answer.body), open())
  })
}
