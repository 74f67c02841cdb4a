import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'

/**
 * Makes a file at `path`, which must not exist, of what `write` writes to the stream that it opens. The name appears when all
 * of it is on the disk. Until then it is a draft of this run's own: one that a killed run left is in nobody's way.
 */
export async function makeNewFile<T>(path: string, write: (open: () => Writable) => Promise<T>): Promise<T> {
  refuseExisting(path)
  const draft = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    const result = await write(() => createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    // Another run may have been faster.
    refuseExisting(path)
    await rename(draft, path)
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new Error(`${path} is there already. Name another file.`)
}
