import { type Bench, freshPeople, historians } from '../bench.ts'
import { startDeeb } from '../deeb-server.ts'
import { alternate, figure, median } from '../figures.ts'
import { load } from '../load.ts'
import { installPeer, type Peer, type PeerPerson, startPeer } from '../peer.ts'

const CONNECTIONS = 16
const PEER = 'the specification’s table operations by supabase-js on @supabase/lite 0.10'

/** Compares a home read and a switch with the same actions as table operations through a hosted backend's client. */
export async function measurePeer(bench: Bench): Promise<void> {
  if (bench.isQuick) return bench.report.skipped(PEER, 'the quick run does not install it')
  try {
    await installPeer()
    const peer = await startPeer(await bench.databases.create('peer'), bench.size.people, CONNECTIONS)
    await compare(bench, peer).finally(peer.stop)
  } catch (error) {
    bench.report.skipped(PEER, (error as Error).message.split('\n', 1)[0] ?? '')
  }
}

async function compare(bench: Bench, peer: Peer): Promise<void> {
  const { size, report } = bench
  const server = await startDeeb({ databaseUrl: bench.dataset.url })
  const reads = async (round: number) =>
    (await load(bench, [server], 'home', (await historians(bench, round, CONNECTIONS)).people, size.seconds)).perSecond
  const switches = async () =>
    (await load(bench, [server], 'switches', (await freshPeople(bench, CONNECTIONS)).people, size.seconds)).perSecond
  const peerReads = () => rate(peer.people, (person) => person.readHome(), size.seconds)
  const peerSwitches = () => rate(peer.people, (person) => person.switch(), size.seconds)
  for (const warmUp of [() => reads(0), switches, peerReads, peerSwitches]) await warmUp()

  const home = await alternate(size.rounds, { deeb: reads, peer: peerReads })
  const switched = await alternate(size.rounds, { deeb: switches, peer: peerSwitches })
  await server.stop()
  report.note(`The peer: ${PEER}, telemetry off, with as many people on the same PostgreSQL, row level security on.`)
  for (const [name, rates, least] of [['home reads', home, 30] as const, ['switches', switched, 10] as const]) {
    report.raw(`${name}/s, compared with the peer`, rates.deeb)
    report.raw(`${name}/s, the peer`, rates.peer)
    const ratio = median(rates.deeb.map((deeb, round) => deeb / (rates.peer[round] ?? Number.NaN)))
    report.goal({
      what: `${name} compared with the peer`,
      goal: `at least ${least} times`,
      figure: `${figure(ratio)} times`,
      isRatio: true,
      isReached: ratio >= least,
    })
  }
}

/** The total rate per second when each person repeats the action without a pause. */
async function rate(
  people: PeerPerson[],
  act: (person: PeerPerson) => Promise<void>,
  seconds: number,
): Promise<number> {
  const beganAtMs = performance.now()
  const counts = await Promise.all(
    people.map(async (person) => {
      let count = 0
      for (; performance.now() - beganAtMs < seconds * 1000; count++) await act(person)
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - beganAtMs) / 1000)
}
