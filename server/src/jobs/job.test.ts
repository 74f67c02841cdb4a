import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createJob, type JobSpec } from './job.ts'

const NAME = 'testing'
const EVERY_MS = 1_000

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-06-15T09:00:00Z') }))
afterEach(() => void vi.useRealTimers())

/** A job whose runs end when the test says so. */
function made(spec: Partial<JobSpec> = {}) {
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const failures: string[] = []
  const job = createJob({
    name: NAME,
    everyMs: EVERY_MS,
    run: () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })),
    now: () => new Date(),
    onError: (error, name) => failures.push(`${name}: ${error.message}`),
    ...spec,
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  /** Ends the run that is under way. */
  async function end(error?: Error): Promise<void> {
    const { resolve, reject } = ends.at(-1) ?? expect.unreachable('No run is under way.')
    if (error) reject(error)
    else resolve()
    await pass(0)
  }
  return { job, failures, pass, end, runs: () => ends.length }
}

test('a job runs regularly, for the first time after its interval', async () => {
  const { job, pass, end, runs } = made()
  job.start()
  await pass(EVERY_MS - 1)
  expect(runs()).toBe(0)
  await pass(1)
  await end()
  await pass(EVERY_MS)
  await end()
  expect(runs()).toBe(2)
  await job.stop()
})

test('a job that runs at the start does so immediately, without its delay', async () => {
  const { job, end, runs } = made({ runsAtStart: true, defer: () => undefined })
  job.start()
  await end()
  expect(runs()).toBe(1)
  await job.stop()
})

test('a job never overlaps itself: what is due during a run makes one more', async () => {
  const { job, pass, end, runs } = made({ runsAtStart: true })
  job.start()
  await pass(5 * EVERY_MS)
  for (let n = 0; n < 5; n++) job.kick()
  expect(runs()).toBe(1)
  await end()
  expect(runs()).toBe(2)
  await end()
  expect(runs()).toBe(2)
  await job.stop()
})

test('kicks coalesce into one delayed run, and a poll is delayed too', async () => {
  const drawn: (() => void)[] = []
  const { job, pass, end, runs } = made({ defer: (run) => void drawn.push(run) })
  job.start()
  for (let n = 0; n < 5; n++) job.kick()
  await pass(EVERY_MS)
  expect([drawn.length, runs()]).toEqual([1, 0])
  drawn[0]?.()
  await end()
  await pass(EVERY_MS)
  expect([drawn.length, runs()]).toEqual([2, 1])
  await job.stop()
})

test('stop waits for the run that is under way, and begins no other', async () => {
  const { job, pass, end, runs } = made({ runsAtStart: true })
  job.start()
  job.kick()
  let isStopped = false
  const stopped = job.stop().then(() => {
    isStopped = true
  })
  await pass(5 * EVERY_MS)
  expect([isStopped, runs()]).toEqual([false, 1])
  await end()
  await stopped
  job.kick()
  await pass(5 * EVERY_MS)
  expect(runs()).toBe(1)
})

test('a failure is reported with the name of its job and counted, and the next run follows', async () => {
  const { job, failures, pass, end, runs } = made()
  expect(job.state()).toEqual({ lastRunAt: null, failures: 0 })
  job.start()
  const startedAt = new Date()
  await pass(EVERY_MS)
  await end(new Error('gone'))
  expect(failures).toEqual(['testing: gone'])
  expect(job.state()).toEqual({ lastRunAt: startedAt, failures: 1 })
  await pass(EVERY_MS)
  await end()
  expect(runs()).toBe(2)
  expect(job.state()).toEqual({ lastRunAt: new Date(), failures: 1 })
  await job.stop()
})
