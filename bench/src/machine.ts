import { cpus, loadavg, totalmem } from 'node:os'
import type { Bench } from './bench.ts'

/** The load average of the minute before. */
const loadBefore = loadavg()[0] ?? 0

/** The heading of the report: the machine, the versions and the size of the dataset. */
export async function describeMachine({ dataset, size, wrk, isQuick }: Bench): Promise<string> {
  const { rows } = await dataset.client.query<{ server_version: string }>('show server_version')
  const [cpu] = cpus()
  const { people, company, historians, rounds, seconds } = size
  return `# Benchmark results

${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}. Node ${process.version}, PostgreSQL ${rows[0]?.server_version}, load by ${wrk ? 'wrk' : 'a client in Node'}; server, database and load on one
machine. ${people.toLocaleString('en-US')} people, ${company.toLocaleString('en-US')} of them in one company, 400 days of history for ${historians.toLocaleString('en-US')}. ${rounds} rounds of ${seconds} s${isQuick ? ', the quick run, with rough figures' : ''}.
Load average before the run: ${loadBefore.toFixed(1)}; the lower, the more reliable the figures. Compared figures were measured alternately, and each ratio is the median of the rounds' ratios.`
}
