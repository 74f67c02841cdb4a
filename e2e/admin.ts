import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestServer } from './server.ts'

const CLI = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url))

/** Runs an admin command on the server's data. Resolves with its output, and whether it succeeded. */
export async function admin(
  server: Pick<TestServer, 'env'>,
  ...args: string[]
): Promise<{ ok: boolean; text: string }> {
  const env = { PATH: process.env.PATH, ...server.env }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env })
    return { ok: true, text: stdout }
  } catch (error) {
    return { ok: false, text: (error as { stderr: string }).stderr }
  }
}
