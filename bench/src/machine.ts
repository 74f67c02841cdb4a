import { cpus, loadavg, totalmem } from 'node:os'
import type { Bench } from './bench.ts'

/** How many others wanted the machine in the minute before. */
const loadBefore = loadavg()[0] ?? 0

/** The heading of the report: on what it was measured, and with how much. */
export async function describeMachine({ dataset, size, wrk, isQuick }: Bench): Promise<string> {
  const { rows } = await dataset.client.query<{ server_version: string }>('show server_version')
  const [cpu] = cpus()
  const { people, company, historians, rounds, seconds } = size
  return `# Speed, measured

${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}. Node ${process.version}, PostgreSQL ${rows[0]?.server_version}, load by ${wrk ? 'wrk' : 'a client in Node'}; server, database and load on this
one machine. ${people.toLocaleString('en-US')} people, ${company.toLocaleString('en-US')} of them in one company, 400 days of history for ${historians.toLocaleString('en-US')}. ${rounds} rounds of ${seconds} s${isQuick ? ', the short form: figures of so little are rough' : ''}.
Load of the machine before it began: ${loadBefore.toFixed(1)}; the nearer to none, the more the figures say. What is compared was measured in turns, and each ratio is the median of the rounds' ratios.`
}
