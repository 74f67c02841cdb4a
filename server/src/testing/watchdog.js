// Ends what a test process started and did not end itself, when that process ends, even by SIGKILL: then standard input closes.
// Each line is { pid }, { pid, hasEnded: true } or { folder }, see kill-at-exit.ts.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

/** How long programs may take to end their own children. */
const PATIENCE_MS = 5_000

const pids = new Set()
const folders = new Set()
// Ctrl-C goes to all processes of a terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)

for await (const line of createInterface({ input: process.stdin })) {
  const { pid, hasEnded, folder } = JSON.parse(line)
  if (folder) folders.add(folder)
  else if (hasEnded) pids.delete(pid)
  else pids.add(pid)
}
// SIGINT is the fast shutdown of PostgreSQL.
signalAll('SIGINT')
for (const until = Date.now() + PATIENCE_MS; signalAll(0) && Date.now() < until; ) await pause(50)
signalAll('SIGKILL')
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

/** Whether any process was still there. */
function signalAll(signal) {
  return (
    [...pids].filter((pid) => {
      try {
        return process.kill(pid, signal)
      } catch {
        return false
      }
    }).length > 0
  )
}
