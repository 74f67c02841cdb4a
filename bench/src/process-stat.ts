import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** The CPU time of a process so far, with all its threads, in seconds to 10 ms. Linux only. */
export function cpuSeconds(pid: number): number {
  return statOf(pid).own
}

/** The same with all its children, running or ended. */
export function cpuSecondsWithChildren(pid: number): number {
  const { own, ended } = statOf(pid)
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOrNull(Number(name)))
  return running.reduce((sum, stat) => sum + (stat?.parent === pid ? stat.own : 0), own + ended)
}

/** The CPU time of the ended children of this process, in seconds: the load generators. */
export function cpuSecondsOfEndedChildren(): number {
  return statOf(process.pid).ended
}

/** The pid of the parent process. */
export function parentOf(pid: number): number {
  return statOf(pid).parent
}

function statOf(pid: number): { parent: number; own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before the last bracket may contain any character.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const seconds = (user: number, system: number) => ((fields[user] ?? 0) + (fields[system] ?? 0)) / TICKS_PER_SECOND
  return { parent: fields[1] ?? 0, own: seconds(11, 12), ended: seconds(13, 14) }
}

function statOrNull(pid: number): ReturnType<typeof statOf> | null {
  try {
    return statOf(pid)
  } catch {
    return null
  }
}

/** The resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`]).toString()) * 1024
}
