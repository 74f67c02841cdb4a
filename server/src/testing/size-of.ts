import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What the files of a folder take, in bytes; not those of folders within. One that goes meanwhile takes nothing. */
export async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => null)
    return found?.isFile() ? found.size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
