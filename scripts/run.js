import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const separator = process.platform === 'win32' ? ';' : ':'

/**
 * Runs a program of node_modules/.bin or of PATH, by default in the project's root. Resolves with its exit code, 127 if it cannot start.
 * `onOutput` gets what it prints; by default that goes to the terminal.
 */
export function run(command, args, env = {}, cwd = root, onOutput = null) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...env, PATH: `${root}node_modules/.bin${separator}${process.env.PATH}` },
      shell: process.platform === 'win32',
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput)
    child.once('error', () => resolve(127))
    child.once('close', (code) => resolve(code ?? 1))
  })
}
