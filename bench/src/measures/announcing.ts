import { type Bench, freshPeople } from '../bench.ts'
import { type DeebServer, SILENT_MAIN, startDeeb } from '../deeb-server.ts'
import { alternate, figure, median } from '../figures.ts'
import { load } from '../load.ts'

/** What it costs switches to be announced to other processes, of which there is one. */
export async function measureAnnouncing(bench: Bench): Promise<void> {
  const { dataset, size, report } = bench
  if (bench.isQuick) return report.skipped('announcing between processes', 'the short form has one process')
  const databaseUrl = dataset.url
  const other = await startDeeb({ databaseUrl })
  const announcing = await startDeeb({ databaseUrl })
  const silent = await startDeeb({ databaseUrl, main: SILENT_MAIN })
  const switches = async (server: DeebServer) =>
    (await load(bench, [server], 'switches', (await freshPeople(bench, 16)).people, size.seconds)).perSecond
  await switches(announcing)
  await switches(silent)
  const rates = await alternate(size.rounds, { silent: () => switches(silent), announcing: () => switches(announcing) })
  report.raw('switches/s, announced to another process', rates.announcing)
  report.raw('switches/s, announced to nobody', rates.silent)
  const ratio = median(rates.announcing.map((rate, round) => rate / (rates.silent[round] ?? Number.NaN)))
  report.goal({
    what: 'switches announced between processes, beside none announced',
    goal: 'at least 0.9',
    figure: figure(ratio),
    isReached: ratio >= 0.9,
  })
  for (const server of [other, announcing, silent]) await server.stop()
}
