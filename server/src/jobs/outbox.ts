import { randomInt } from 'node:crypto'
import { createJob, type Job, type JobSpec } from './job.ts'

const MAX_BACKOFF_SECONDS = 3_600

/** Exponential backoff, at most an hour: each attempt waits `factor` times as long. Jitter: between half and one and a half of it. */
export interface Backoff {
  firstSeconds: number
  factor: number
  hasJitter?: boolean
}

/** The result of an attempt to deliver. Null: no other attempt follows. Else it failed, and may follow after so many seconds. */
interface Outcome {
  retryAfterSeconds: number | null
}

export interface OutboxSpec<Due extends { attempts: number }, Result extends Outcome>
  extends Omit<JobSpec, 'run' | 'runsAtStart'> {
  /** How many deliveries may be in flight. */
  max: number
  backoff: Backoff
  /** Leases what is due, at most `room`, and nothing that has to wait for one of `inFlight`. `attempts` counts this attempt too. */
  claim(room: number, inFlight: readonly Due[]): Promise<Due[]>
  deliver(due: Due): Promise<Result>
  /** Whether a failed attempt was the last one. */
  isLast(due: Due, result: Result, nextTryAt: Date): boolean
  /** Saves that no other attempt follows. */
  settle(due: Due, result: Result): Promise<unknown>
  /** Saves a failed attempt. `nextTryAt` is null if it was the last one. */
  postpone(due: Due, result: Result, nextTryAt: Date | null): Promise<unknown>
}

/**
 * The outbox pattern with at-least-once delivery. A claim is a lease, so no transaction is open during a delivery and no other process
 * delivers the same row. After a crash it is delivered again. No delivery waits for another one: each answer makes room for the next claim.
 */
export function createOutbox<Due extends { attempts: number }, Result extends Outcome>({
  max,
  backoff,
  claim,
  deliver,
  isLast,
  settle,
  postpone,
  ...spec
}: OutboxSpec<Due, Result>): Job {
  const inFlight = new Set<Due>()
  const running = new Set<Promise<void>>()
  const job = createJob({ ...spec, run: deliverDue, runsAtStart: true })

  async function deliverDue(): Promise<void> {
    const room = max - inFlight.size
    const claimed = room > 0 ? await claim(room, [...inFlight]) : []
    for (const due of claimed) {
      inFlight.add(due)
      const delivering = deliverOne(due).finally(() => running.delete(delivering))
      running.add(delivering)
    }
  }

  /** Until what it made due has been claimed. */
  async function deliverOne(due: Due): Promise<void> {
    await attempt(due).catch(job.fail)
    inFlight.delete(due)
    job.kickNow()
    await job.idle()
  }

  async function attempt(due: Due): Promise<void> {
    const result = await deliver(due)
    if (result.retryAfterSeconds === null) return void (await settle(due, result))
    const seconds = Math.max(backoffSeconds(backoff, due.attempts), result.retryAfterSeconds)
    const nextTryAt = new Date(spec.now().getTime() + seconds * 1_000)
    await postpone(due, result, isLast(due, result, nextTryAt) ? null : nextTryAt)
  }

  async function idle(): Promise<void> {
    await job.idle()
    while (running.size > 0) await Promise.all(running)
  }

  return {
    ...job,
    idle,
    async stop() {
      await job.stop()
      await Promise.all(running)
    },
  }
}

function backoffSeconds({ firstSeconds, factor, hasJitter }: Backoff, attempts: number): number {
  const seconds = Math.min(firstSeconds * factor ** (attempts - 1), MAX_BACKOFF_SECONDS)
  return hasJitter ? (seconds * randomInt(500, 1_501)) / 1_000 : seconds
}

/** SQL: what a claim sets. The lease is longer than a delivery takes. */
export function leasedFor(lease: string): string {
  return `attempts = attempts + 1, next_try_at = :now::timestamptz + interval '${lease}'`
}

/**
 * SQL: what is claimed of `due (id, user_id, next_try_at)`. `fair` leaves out people who have used up their limit. Those to whom least was
 * sent within its time go first, so that a few people with many slow receivers cannot delay everybody. `held` skips what another process
 * is claiming.
 */
export function fairlyClaimed(
  table: string,
  { max, seconds }: { max: number; seconds: number },
  { from = 'due', where = 'true', room = ':room' } = {},
): string {
  return `fair as materialized (
    select due.id from ${from} cross join lateral (select count(*) as count from ${table} as other
      where other.user_id = due.user_id and tried_at > :now::timestamptz - interval '${seconds} seconds') as sent
    where ${where} and sent.count < ${max}
    order by sent.count, next_try_at limit ${room}
  ), held as (
    select id from ${table} where id in (select id from fair) and next_try_at <= :now::timestamptz for update skip locked
  )`
}
