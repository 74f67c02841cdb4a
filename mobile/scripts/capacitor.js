import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const CLI = join(dirname(createRequire(import.meta.url).resolve('@capacitor/cli/package.json')), 'bin/capacitor')
/** Of Node, which Capacitor's commands want; the rest of the project runs on an older one. */
const OLDEST = 22

/** Runs a command of Capacitor's in `folder`. Throws if it fails. */
export function capacitor(folder, ...args) {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= OLDEST
  const [program, ...before] = isNewEnough ? [process.execPath] : ['npx', '-y', 'node@24']
  const onWindows = process.platform === 'win32'
  const options = { cwd: folder, stdio: 'inherit', shell: onWindows && !isNewEnough }
  const { status } = spawnSync(program, [...before, CLI, ...args], options)
  if (status !== 0) throw new Error(`Capacitor failed: ${args.join(' ')}`)
}
