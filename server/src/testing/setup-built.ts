import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs once per test run: compiles the servers and the CLI that tests start as child processes. Type errors do not stop the run. */
export function setup(): void {
  run(ROOT, 'typescript/bin/tsc', '-b', 'core', 'server')
  run(`${ROOT}cli`, 'rolldown/bin/cli.mjs', '-c', '--logLevel', 'warn')
}

function run(cwd: string, program: string, ...args: string[]): void {
  spawnSync(process.execPath, [`${ROOT}node_modules/${program}`, ...args], { cwd, stdio: 'inherit' })
}
