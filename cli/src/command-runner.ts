import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { OwnState } from '@deeb/core/focus/own-state'
import * as texts from '@deeb/texts/cli'

const COMMAND_ENDS_WITHIN_MS = 60_000

/** Runs one command at a time. Only the newest state waits, so a slow command never falls behind by more than one. */
export function createRunner(run: (state: OwnState) => Promise<void>) {
  let shown: boolean | null = null
  let newest: OwnState | null = null
  let running = Promise.resolve()

  async function catchUp(): Promise<void> {
    if (!newest || newest.inDeebMode === shown) return
    shown = newest.inDeebMode
    await run(newest)
  }

  return {
    /** Runs the command of this state, unless it is the state of the last command. */
    show(state: OwnState): void {
      newest = state
      running = running.then(catchUp)
    },
    /** Waits for the running command. */
    idle: () => running,
  }
}

const HAS_PROCESS_GROUPS = process.platform !== 'win32'

/**
 * Runs a shell command, which finds the state in its environment. Resolves when it ends, also if it fails. It has a process group of its
 * own, so that Ctrl-C does not end it, and a command that hangs ends with all that it has started.
 */
export async function runCommand(command: string, { inDeebMode, since, until }: OwnState): Promise<void> {
  const state = { DEEB_MODE: inDeebMode ? 'on' : 'off', DEEB_SINCE: since ?? '', DEEB_UNTIL: until ?? '' }
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...state },
    detached: HAS_PROCESS_GROUPS,
  })
  const timer = setTimeout(() => kill(child), COMMAND_ENDS_WITHIN_MS)
  // Rejects if there is no shell.
  const [code, signal] = await once(child, 'exit').catch((error: Error) => [error.message, null])
  clearTimeout(timer)
  if (code === 0) return
  const text = signal ? texts.commandKilled({ signal, command }) : texts.commandEnded({ code, command })
  process.stderr.write(`${text}\n`)
}

/** Ends a command with its process group. SIGKILL: it may ignore SIGTERM. */
function kill(child: ChildProcess): void {
  try {
    if (HAS_PROCESS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // It has just ended.
  }
}
