import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestServer } from './server.ts'

const CLI = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url))

/** Runs a command of the operator on the server's data. What it printed, and whether it succeeded. */
export async function deeb(
  server: Pick<TestServer, 'dataDir' | 'port'>,
  ...args: string[]
): Promise<{ ok: boolean; text: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: server.dataDir, PORT: `${server.port}` }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env })
    return { ok: true, text: stdout }
  } catch (error) {
    return { ok: false, text: (error as { stderr: string }).stderr }
  }
}
