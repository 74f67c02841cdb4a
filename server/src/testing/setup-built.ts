import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Once per run: servers that tests start as processes of their own are made from these sources. Wrong types are shown and stop nothing here. */
export function setup(): void {
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'core', 'server'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
}
