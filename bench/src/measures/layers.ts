import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, freshPeople, historians } from '../bench.ts'
import { type CpuProfile, sharesByLayer } from '../cpu-profile.ts'
import { type DeebServer, PROFILED_MAIN, startDeeb } from '../deeb-server.ts'
import { figure } from '../figures.ts'
import { load } from '../load.ts'
import { measureStreams } from './live.ts'

const CONNECTIONS = 16
const SECONDS = 8
const SWITCHES_PER_SECOND = 100

/** Where the CPU of a home read, a switch and its delivery to 50 watchers goes, in µs, by layer. */
export async function measureLayers(bench: Bench): Promise<void> {
  const readers = await historians(bench, 0, CONNECTIONS)
  const switching = await freshPeople(bench, CONNECTIONS)
  const columns = {
    'home read': await profiled(bench, async (server, record) => {
      await load(bench, server, 'home', readers, 3)
      return record(async () => (await load(bench, server, 'home', readers, SECONDS)).cpuMicroseconds)
    }),
    switch: await profiled(bench, async (server, record) => {
      await load(bench, server, 'switches', switching, 3)
      return record(async () => (await load(bench, server, 'switches', switching, SECONDS)).cpuMicroseconds)
    }),
    'switch with 50 deliveries': await profiled(bench, async (server, record) => {
      const pace = { streams: bench.size.streams, switchesPerSecond: SWITCHES_PER_SECOND }
      return (await measureStreams(bench, pace, server, record)).cpuMicroseconds
    }),
  }
  const names = [...new Set(Object.values(columns).flatMap((shares) => [...shares.keys()]))]
  const sum = (name: string) => Object.values(columns).reduce((all, shares) => all + (shares.get(name) ?? 0), 0)
  bench.report.table(
    'CPU of the server by layer, µs',
    ['layer', ...Object.keys(columns)],
    names
      .sort((one, other) => sum(other) - sum(one))
      .map((name) => [name, ...Object.values(columns).map((shares) => figure(shares.get(name) ?? 0))]),
  )
}

/** Records a profile during the work, which resolves with the CPU of each answer in µs. */
type Record = (work: () => Promise<number>) => Promise<number>

async function profiled(
  { dataset }: Bench,
  work: (server: DeebServer, record: Record) => Promise<number>,
): Promise<Map<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-profile-'))
  const path = join(folder, 'server.cpuprofile')
  const server = await startDeeb({ databaseUrl: dataset.url, main: PROFILED_MAIN, env: { PROFILE: path } })
  const cpuMicroseconds = await work(server, async (each) => {
    process.kill(server.pid, 'SIGUSR2')
    const took = await each()
    process.kill(server.pid, 'SIGUSR2')
    return took
  })
  // Ends some seconds later: the profile is written before.
  await server.stop()
  const profile: CpuProfile = JSON.parse(await readFile(path, 'utf8'))
  await rm(folder, { recursive: true })
  return new Map([...sharesByLayer(profile)].map(([layer, share]) => [layer, share * cpuMicroseconds]))
}
