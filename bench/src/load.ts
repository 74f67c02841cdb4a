import type { Bench } from './bench.ts'
import { closedLoop, type Load } from './closed-loop.ts'
import type { DeebServer } from './deeb-server.ts'
import { cpuSeconds } from './process-stat.ts'
import { constantRequest, homeRequest, switches } from './requests.ts'
import type { Person } from './tokens.ts'
import { wrkRun } from './wrk.ts'

/** Home reads, switches, or reads of a constant answer of the bare server. */
export type Work = 'home' | 'switches' | 'constant'

/** The result of a load on servers, with their CPU time per answer in µs. */
export interface ServedLoad extends Load {
  cpuMicroseconds: number
}

/** Closed-loop load with one connection per person, spread evenly over the servers. Uses wrk if it is installed. */
export async function load(
  { wrk }: Pick<Bench, 'wrk'>,
  servers: DeebServer[],
  what: Work,
  people: Person[],
  seconds: number,
): Promise<ServedLoad> {
  const cpu = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
  const before = cpu()
  const parts = wrk
    ? await Promise.all(
        servers.map(({ port }, at) => {
          const own = people.filter((_, index) => index % servers.length === at)
          return wrkRun(wrk, port, what, own, seconds)
        }),
      )
    : [await byNode(servers, what, people, seconds)]
  const perSecond = parts.reduce((sum, part) => sum + part.perSecond, 0)
  const answers = parts.reduce((sum, part) => sum + part.answers, 0)
  return { perSecond, answers, cpuMicroseconds: ((cpu() - before) / answers) * 1e6 }
}

function byNode(servers: DeebServer[], what: Work, people: Person[], seconds: number): Promise<Load> {
  const requests = people.map((person) => {
    if (what === 'switches') return switches(person)
    const request = what === 'home' ? homeRequest(person) : constantRequest(person)
    return () => request
  })
  return closedLoop(
    servers.map(({ port }) => port),
    requests,
    seconds,
  )
}
