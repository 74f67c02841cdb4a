import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'

/**
 * Writes a new file atomically: `write` writes to a draft, which is synced and renamed to `path` at the end. `path` must
 * not exist. Each run has its own draft, so one that a killed run left does not disturb the next.
 */
export async function makeNewFile<T>(path: string, write: (open: () => Writable) => Promise<T>): Promise<T> {
  refuseExisting(path)
  const draft = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    const result = await write(() => createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    // A concurrent run may have created it since.
    refuseExisting(path)
    await rename(draft, path)
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new Error(`${path} already exists. Use another file name.`)
}
