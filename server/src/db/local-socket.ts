import { createHash } from 'node:crypto'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'

/**
 * The path of a socket in the folder `name` of DATA_DIR, which only the user of this process can open. On Windows it is a named pipe.
 */
export async function localSocket(dataDir: string, name: string): Promise<string> {
  if (process.platform === 'win32') return pipeOf(dataDir, `-${name}`)
  const folder = join(dataDir, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // A folder that was there before keeps its permissions.
  await chmod(folder, 0o700)
  return shortest(join(folder, 'deeb.sock'))
}

export async function pipeOf(folder: string, suffix = ''): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32)
  return `\\\\.\\pipe\\deeb-${name}${suffix}`
}

/**
 * The absolute or relative path, the shorter one: a socket path is limited to about 100 bytes. Throws if both are too long.
 */
export function shortest(path: string): string {
  const short = [path, relative(process.cwd(), path)].sort((a, b) => a.length - b.length)[0] ?? path
  if (Buffer.byteLength(short) > 100) throw new Error(`The path of DATA_DIR is too long: ${path}. Use a shorter one.`)
  return short
}
