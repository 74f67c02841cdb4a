import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { SERVER_FOLDER } from '../folders.ts'

const PROGRAM = `${SERVER_FOLDER}src/testing/watchdog.js`
let watchdog: Writable | undefined

/** Kills the child process when this process ends, even by SIGKILL, unless it has ended before. */
export function killAtExit<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child
  if (pid === undefined) return child
  send({ pid })
  child.once('exit', () => send({ pid, hasEnded: true }))
  return child
}

/** Removes the folder when this process ends, after its child processes. */
export function removeAtExit(folder: string): void {
  send({ folder })
}

function send(line: object): void {
  watchdog ??= startWatchdog()
  watchdog.write(`${JSON.stringify(line)}\n`)
}

function startWatchdog(): Writable {
  // A worker continues for a while after its runner was killed.
  process.once('disconnect', () => process.exit(1))
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.unref()
  const stdin = child.stdin as Writable & { unref?(): void }
  stdin.unref?.()
  // Without a watchdog the tests go on.
  stdin.on('error', () => undefined)
  return stdin
}
