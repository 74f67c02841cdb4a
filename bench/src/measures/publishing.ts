import { type Bench, freshPeople } from '../bench.ts'
import { type DeebServer, SILENT_MAIN, startDeeb } from '../deeb-server.ts'
import { alternate, figure, median } from '../figures.ts'
import { load } from '../load.ts'

/** What it costs switches to be published to other processes, of which there is one. */
export async function measurePublishing(bench: Bench): Promise<void> {
  const { dataset, size, report } = bench
  if (bench.isQuick) return report.skipped('publishing between processes', 'the short form has one process')
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
    what: 'switches published between processes, beside none published',
    goal: 'at least 0.9',
    figure: figure(ratio),
    isReached: ratio >= 0.9,
  })
  for (const server of [other, publishing, silent]) await server.stop()
}
