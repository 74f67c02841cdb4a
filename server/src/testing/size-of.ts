import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The size of the files in a folder, in bytes, without subfolders. A file that disappears concurrently counts as 0. */
export async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => null)
    return found?.isFile() ? found.size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
