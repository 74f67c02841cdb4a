import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs once per test run: compiles the servers that tests start as child processes. Type errors do not stop the run. */
export function setup(): void {
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'core', 'server'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
}
