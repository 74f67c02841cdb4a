import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export const BACKUP_PATH = '/operator/backup'

/** Has the server that runs on this machine make a backup, and writes it to `path`, which must not exist. */
export async function fetchBackup(origin: string, operatorKey: string, path: string): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} is there already. Name another file.`)
  const headers = { authorization: `Operator ${operatorKey}` }
  const answer = await fetch(origin + BACKUP_PATH, { method: 'POST', headers }).catch(() => null)
  if (!answer?.ok || !answer.body) {
    const what = answer ? `answers ${answer.status}` : 'does not answer'
    throw new Error(`The server at ${origin} ${what}. Name the PORT and DATA_DIR that it was started with.`)
  }
  const draft = `${path}.part`
  try {
    // What ends too early is an error here: nothing takes the name that is not whole.
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
