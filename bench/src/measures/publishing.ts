import { type Bench, freshPeople } from '../bench.ts'
import { type DeebServer, SILENT_MAIN, startDeeb } from '../deeb-server.ts'
import { alternate, figure, median } from '../figures.ts'
import { load } from '../load.ts'

/** Measures the cost of publishing switches to one other process. */
export async function measurePublishing(bench: Bench): Promise<void> {
  const { dataset, size, report } = bench
  if (bench.isQuick) return report.skipped('publishing between processes', 'the quick run has one process')
  const databaseUrl = dataset.url
  const other = await startDeeb({ databaseUrl })
  const publishing = await startDeeb({ databaseUrl })
  const silent = await startDeeb({ databaseUrl, main: SILENT_MAIN })
  const switches = async (server: DeebServer) =>
    (await load(bench, [server], 'switches', (await freshPeople(bench, 16)).people, size.seconds)).perSecond
  await switches(publishing)
  await switches(silent)
  const rates = await alternate(size.rounds, { silent: () => switches(silent), publishing: () => switches(publishing) })
  report.raw('switches/s, published to another process', rates.publishing)
  report.raw('switches/s, published to nobody', rates.silent)
  const ratio = median(rates.publishing.map((rate, round) => rate / (rates.silent[round] ?? Number.NaN)))
  report.goal({
    what: 'switches with publishing, compared with no publishing',
    goal: 'at least 0.9',
    figure: figure(ratio),
    isRatio: true,
    isReached: ratio >= 0.9,
  })
  for (const server of [other, publishing, silent]) await server.stop()
}
