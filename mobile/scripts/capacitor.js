import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const CLI = join(dirname(createRequire(import.meta.url).resolve('@capacitor/cli/package.json')), 'bin/capacitor')

/** Runs a Capacitor command in `folder`. Throws if it fails. With an old Node, Capacitor prints the version it needs. */
export function capacitor(folder, ...args) {
  const { status } = spawnSync(process.execPath, [CLI, ...args], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`Capacitor failed: ${args.join(' ')}`)
}
