export interface JobSpec {
  /** The name in the log and the metrics, as what it does: `purging old rows`. */
  name: string
  everyMs: number
  /** Does what is due. */
  run(): Promise<unknown>
  onError(error: Error, name: string): void
  now(): Date
  /** Whether it runs at the start too. Else it runs for the first time after `everyMs`. */
  runsAtStart?: boolean
  /** Delays each run but that at the start. Default: it does not. */
  defer?(run: () => void): void
}

/** Something that the server does regularly, and after each kick. It never overlaps itself. */
export interface Job {
  name: string
  start(): void
  /** Waits for the run that is under way. What else is due is done after the next start of the server. */
  stop(): Promise<void>
  /** Runs soon. Call it after a commit that may have made work. Fire-and-forget; never throws. */
  kick(): void
  /** The same without the delay of `defer`. */
  kickNow(): void
  /** Resolves when it does not run. */
  idle(): Promise<void>
  /** Counts and reports what a run has begun and did not wait for. */
  fail(error: Error): void
  state(): JobState
}

export interface JobState {
  /** The end of the last run without a failure; before the first one, the start. Null before the start. */
  lastRunAt: Date | null
  /** The number of failures since the start. */
  failures: number
}

export function createJob({ name, everyMs, run, onError, now, runsAtStart, defer = (run) => run() }: JobSpec): Job {
  const state: JobState = { lastRunAt: null, failures: 0 }
  let timer: NodeJS.Timeout | undefined
  let isDeferred = false
  let running: Promise<void> | null = null
  let again = false
  let isStopping = false

  async function runUntilDone(): Promise<void> {
    while (again && !isStopping) {
      again = false
      await run()
      state.lastRunAt = now()
    }
  }

  function kickNow(): void {
    if (isStopping) return
    again = true
    running ??= runUntilDone()
      .catch(fail)
      .finally(() => {
        running = null
        if (again) kickNow()
      })
  }

  /** Coalesces kicks: one pending delay at a time. Otherwise many requests would make the next run predictable. */
  function kick(): void {
    if (isDeferred) return
    isDeferred = true
    defer(() => {
      isDeferred = false
      kickNow()
    })
  }

  function fail(error: Error): void {
    state.failures += 1
    onError(error, name)
  }

  async function idle(): Promise<void> {
    while (running) await running
  }

  return {
    name,
    kick,
    kickNow,
    idle,
    fail,
    state: () => state,
    start() {
      state.lastRunAt = now()
      if (runsAtStart) kickNow()
      // The poll is delayed too, or an attacker who knows its rhythm could time requests (timing attack).
      timer = setInterval(kick, everyMs)
      timer.unref()
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      await idle()
    },
  }
}
