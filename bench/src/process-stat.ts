import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** The CPU that a process has used so far with all its threads, in seconds; to 10 ms. Linux. */
export function cpuSeconds(pid: number): number {
  return statOf(pid).own
}

/** The same with all its children, those that have ended and those that run. */
export function cpuSecondsWithChildren(pid: number): number {
  const { own, ended } = statOf(pid)
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statIfThere(Number(name)))
  return running.reduce((sum, stat) => sum + (stat?.parent === pid ? stat.own : 0), own + ended)
}

/** The CPU of those children of this process that have ended, in seconds: programs that generated load. */
export function cpuSecondsOfEndedChildren(): number {
  return statOf(process.pid).ended
}

/** Who started that process. */
export function parentOf(pid: number): number {
  return statOf(pid).parent
}

function statOf(pid: number): { parent: number; own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before is in brackets and may hold anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const seconds = (user: number, system: number) => ((fields[user] ?? 0) + (fields[system] ?? 0)) / TICKS_PER_SECOND
  return { parent: fields[1] ?? 0, own: seconds(11, 12), ended: seconds(13, 14) }
}

function statIfThere(pid: number): ReturnType<typeof statOf> | null {
  try {
    return statOf(pid)
  } catch {
    return null
  }
}

/** What a process holds of the memory right now, in bytes. */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`]).toString()) * 1024
}
