// The server of load tests. SIGUSR2 begins a CPU profile, and the next one writes it to the path in PROFILE.
import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { run } from '../../server/src/start/run.ts'
import { withoutLimits } from '../../server/src/testing/without-limits.ts'

const SAMPLE_MICROSECONDS = 500

let session: Session | undefined
process.on('SIGUSR2', async () => {
  if (session) {
    const { profile } = await session.post('Profiler.stop')
    await writeFile(process.env.PROFILE ?? '', JSON.stringify(profile))
    return
  }
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
  await session.post('Profiler.start')
})
await run(withoutLimits())
