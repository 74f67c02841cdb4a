import type { Bench } from '../bench.ts'
import { startDeeb } from '../deeb-server.ts'
import { figure, median, percentile } from '../figures.ts'
import { openConnection, wire } from '../http-connection.ts'

/** User enumeration by timing: a wrong password must take the same time for a known and an unknown address. */
export async function measureSignIn({ dataset, report, isQuick }: Bench): Promise<void> {
  const server = await startDeeb({ databaseUrl: dataset.url })
  const connection = await openConnection(server.port)
  const { rows } = await dataset.client.query<{ email: string }>('select email from auth.users order by id limit 400')
  let caller = 0

  async function guess(email: string): Promise<number> {
    caller += 1
    const from = `198.51.${caller >> 8}.${caller & 255}`
    const body = { email, password: 'not the password of anybody' }
    const request = wire({ method: 'POST', path: '/auth/v1/token?grant_type=password', from, body })
    const beganAt = performance.now()
    const { status, body: answer } = await connection.ask(request)
    if (status !== 400) throw new Error(`A wrong password was answered with ${status}: ${answer}`)
    return performance.now() - beganAt
  }

  const known: number[] = []
  const unknown: number[] = []
  for (const [n, { email }] of rows.slice(0, isQuick ? 30 : 400).entries()) {
    // The second guess finds warm caches, so the order alternates.
    if (n % 2 === 0) known.push(await guess(email))
    unknown.push(await guess(`nobody.${n}@large.example`))
    if (n % 2 === 1) known.push(await guess(email))
  }
  connection.close()
  await server.stop()
  const spread = (percentile(known, 75) - percentile(known, 25)) / 2
  const difference = Math.abs(median(known) - median(unknown))
  report.note(
    `Sign-in with a wrong password, ${known.length} times each: ${figure(median(known))} ms for a known address, ${figure(median(unknown))} ms for an unknown one (medians); half of the known ones are within ${figure(spread)} ms of the median.`,
  )
  report.goal({
    what: 'sign-in with an unknown address, compared with a known one',
    goal: 'medians within noise',
    figure: `${figure(difference)} ms difference, ${figure(spread)} ms noise`,
    isRatio: true,
    isReached: difference <= spread,
  })
}
