// The server of load tests. SIGUSR2 begins a CPU profile, and the next one writes it to the path in PROFILE. Without it, SIGUSR2 collects
// garbage.
import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { run } from '../../server/src/start/run.ts'
import { withoutLimits } from '../../server/src/testing/without-limits.ts'
import { collectOnSignal } from './collect-on-signal.ts'

const SAMPLE_MICROSECONDS = 500

let session: Session | undefined
async function beginOrWrite(path: string): Promise<void> {
  if (session) {
    const { profile } = await session.post('Profiler.stop')
    await writeFile(path, JSON.stringify(profile))
    return
  }
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
  await session.post('Profiler.start')
}

const { PROFILE } = process.env
if (PROFILE === undefined) collectOnSignal()
else process.on('SIGUSR2', () => beginOrWrite(PROFILE))
await run(withoutLimits())
