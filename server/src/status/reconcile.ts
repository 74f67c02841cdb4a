import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { createJob, type Job } from '../jobs/job.ts'
import type { EventBus } from '../lib/event-bus.ts'
import { ChatError, type Credentials } from './adapter.ts'
import { carryOut, giveUp } from './carry-out.ts'
import { type ClaimedSignal, claimSignals, claimStatements, isTyped } from './claim-signals.ts'
import { freshCredentials } from './credentials.ts'
import { endLinks } from './end-links.ts'
import { refuseLink } from './refuse-link.ts'
import type { Adapters } from './systems.ts'

/** Finds changes without an event: after a crash, at the end of a lease, or when an account was switched off. */
const SWEEP_EVERY_MS = 15_000
/** Switches within this time are one turn. */
const GATHER_MS = 500
/** The delay while signals wait for their rate limit. */
const NEXT_TURN_MS = 1_500
/** Signals that one process works on concurrently. A server that does not answer holds its own for at most a minute. */
const MAX_IN_FLIGHT = 60
/** The maximum of them that goes to servers that people typed. */
const MAX_TYPED_IN_FLIGHT = 30
/** The first retry; each later one waits twice as long. */
const RETRY_SECONDS = 15
const MAX_RETRY_SECONDS = 900

const postpone = statement(
  'status.postpone',
  `with signal as (
    update status_signals set result = 'later', result_at = :now, next_try_at = :now::timestamptz + greatest(
      make_interval(secs => :afterSeconds), make_interval(secs => least(${MAX_RETRY_SECONDS}, ${RETRY_SECONDS} * 2 ^ least(attempts - 1, 10))))
    where link_id = :linkId and part = :part and next_try_at = :claimedUntil
  )
  update status_queues set paused_until = greatest(paused_until, :now::timestamptz + make_interval(secs => :afterSeconds))
  where system = :system and workspace = :workspace and part = :part and :afterSeconds > 0`,
)

/* Of the people whose switch has woken this process, whether one has a link. */
const anyLinked = statement(
  'status.any-linked',
  'select exists (select from status_links where user_id = any(:userIds::uuid[])) as "isLinked"',
)

interface ReconcilerDeps {
  db: Db
  bus: Pick<EventBus, 'subscribe'>
  keys: Pick<Keys, 'sealKeys'>
  adapters: Adapters
  mailer: { kick(): void }
  now(): Date
  /** Logs what failed, without the person. */
  warn(what: { system: string; part?: string; reason: string }): void
  onError(error: Error, name: string): void
}

export interface Reconciler extends Job {
  /** Carries out what is due and allowed now, and waits for it. For tests. */
  runOnce(): Promise<void>
}

/**
 * Makes the chats of people show whether they are in deeb mode. It compares what is shown with the desired state, so a lost event, a
 * killed server and several servers need nothing special. It runs apart from the switch, which neither waits for it nor knows of it.
 */
export function createReconciler(given: ReconcilerDeps): Reconciler {
  const deps = { ...given, renewals: new Map<string, Promise<Credentials>>() }
  const { db, bus, adapters, now, onError } = deps
  const claim = claimStatements(adapters)
  const inFlight = new Set<Promise<void>>()
  let typedInFlight = 0
  const woken = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let isRunning = false

  const job = createJob({
    name: 'setting a status in a chat',
    everyMs: SWEEP_EVERY_MS,
    run: async () => {
      if (await turn()) later(NEXT_TURN_MS)
    },
    runsAtStart: true,
    now,
    onError,
  })

  /** One turn. Resolves to whether more is due than it could begin. */
  async function turn(): Promise<boolean> {
    for (const ending of await endLinks(deps)) track(ending)
    // Ended links have places beyond these.
    const all = Math.max(0, MAX_IN_FLIGHT - inFlight.size)
    const places = { all, typed: MAX_TYPED_IN_FLIGHT - typedInFlight }
    const { signals, hasMore } = await claimSignals(db, claim, places, now())
    for (const signal of signals) {
      const place = isTyped(signal.system) ? 1 : 0
      typedInFlight += place
      track(
        work(signal).finally(() => {
          typedInFlight -= place
        }),
      )
    }
    return hasMore
  }

  function track(working: Promise<void>): void {
    const settled = working.catch(job.fail).finally(() => inFlight.delete(settled))
    inFlight.add(settled)
  }

  async function work(signal: ClaimedSignal): Promise<void> {
    const { system, part, accountId } = signal
    const adapter = adapters[system]
    if (!adapter) return
    const withTokens = async (isRefused: boolean) => {
      const credentials = await freshCredentials(deps, adapter, signal, { isRefused })
      await carryOut(deps, adapter, signal, { accountId, credentials })
    }
    try {
      // Only what the system says about a new access token counts: an old one may have been ended early.
      await withTokens(false).catch((error: unknown) => {
        if (!(error instanceof ChatError && error.advice === 'relink' && adapter.oauth?.refresh)) throw error
        return withTokens(true)
      })
    } catch (error) {
      const failure = error instanceof ChatError ? error : new ChatError('retry', (error as Error).message)
      deps.warn({ system, part, reason: failure.message })
      if (failure.advice === 'relink') await refuseLink(deps, signal)
      else if (failure.advice === 'give up') await giveUp(deps, signal)
      else await db.query(postpone, { ...placeOf(signal), afterSeconds: failure.afterSeconds, now: now() })
    }
    // The person may have switched again in between.
    later(GATHER_MS)
  }

  /** Takes another turn. One pending timer at a time. */
  function later(afterMs: number): void {
    if (!isRunning) return
    timer ??= setTimeout(() => {
      timer = null
      job.kick()
    }, afterMs)
    timer.unref()
  }

  async function wake(): Promise<void> {
    const userIds = [...woken]
    woken.clear()
    const [answer] = await db.query<{ isLinked: boolean }>(anyLinked, { userIds })
    if (answer?.isLinked) job.kick()
  }

  let unsubscribe = () => {}
  let waking: NodeJS.Timeout | null = null
  return {
    ...job,
    start() {
      isRunning = true
      unsubscribe = bus.subscribe((event) => {
        if (event.kind !== 'presence') return
        woken.add(event.id)
        waking ??= setTimeout(() => {
          waking = null
          if (isRunning) wake().catch(job.fail)
        }, GATHER_MS)
        waking.unref()
      })
      job.start()
    },
    async stop() {
      isRunning = false
      unsubscribe()
      if (timer) clearTimeout(timer)
      if (waking) clearTimeout(waking)
      await job.stop()
      await Promise.all(inFlight)
    },
    async runOnce() {
      await turn()
      await Promise.all(inFlight)
    },
  }
}

function placeOf({ linkId, part, system, workspace, claimedUntil }: ClaimedSignal) {
  return { linkId, part, system, workspace, claimedUntil }
}
