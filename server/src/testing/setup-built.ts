import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs once per test run: bundles the servers and the CLI that tests start as child processes. */
export function setup(): void {
  run(ROOT, 'server/build.js')
  run(ROOT, 'cli/build.js')
}

function run(cwd: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${args[0]} ended with code ${status}.`)
}
