import type { Bench } from './bench.ts'
import { closedLoop, type Load } from './closed-loop.ts'
import type { DeebServer } from './deeb-server.ts'
import { cpuSeconds } from './process-stat.ts'
import { constantRequest, homeRequest, switches, type Work } from './requests.ts'
import type { Person } from './tokens.ts'
import { wrkRun } from './wrk.ts'

/** The result of a load, with the CPU time of the server per answer in µs. */
export interface ServedLoad extends Load {
  cpuMicroseconds: number
}

/** Closed-loop load with one connection per person. Uses wrk if it is installed. */
export async function load(
  { wrk }: Pick<Bench, 'wrk'>,
  { pid, port }: DeebServer,
  what: Work,
  people: Person[],
  seconds: number,
): Promise<ServedLoad> {
  const before = cpuSeconds(pid)
  const done = wrk
    ? await wrkRun(wrk, port, what, people, seconds)
    : await closedLoop(port, requestsOf(what, people), seconds)
  return { ...done, cpuMicroseconds: ((cpuSeconds(pid) - before) / done.answers) * 1e6 }
}

function requestsOf(what: Work, people: Person[]): ((round: number) => string)[] {
  return people.map((person) => {
    if (what === 'switches') return switches(person)
    const request = what === 'home' ? homeRequest(person) : constantRequest(person)
    return () => request
  })
}
