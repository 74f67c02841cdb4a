interface PollerDeps {
  /** Does what is due. Resolves to whether more may be due. */
  work(): Promise<boolean>
  everyMs: number
  onError(error: Error): void
  /** Delays the work after a kick or a poll. */
  defer(work: () => void): void
}

export interface Poller {
  /** Works now and polls from then on. */
  start(): void
  /** Stops polling and waits for the work that is running. What else is due is done after the next start. */
  stop(): Promise<void>
  /** Works soon. Call it after a commit that may have made work. Fire-and-forget; never throws. */
  kick(): void
  /** Resolves when no work is running. */
  idle(): Promise<void>
}

/** Runs `work` one after the other: at the start, after each kick, and regularly. */
export function createPoller({ work, everyMs, onError, defer }: PollerDeps): Poller {
  let timer: NodeJS.Timeout | undefined
  let isDeferred = false
  let running: Promise<void> | null = null
  let again = false
  let isStopping = false

  async function workOff(): Promise<void> {
    while (again && !isStopping) {
      again = false
      if (await work()) again = true
    }
  }

  function run(): void {
    if (isStopping) return
    again = true
    running ??= workOff()
      .catch(onError)
      .finally(() => {
        running = null
        if (again) run()
      })
  }

  /** Coalesces kicks: one pending delay at a time. Otherwise many requests would make the next run predictable. */
  function kick(): void {
    if (isDeferred) return
    isDeferred = true
    defer(() => {
      isDeferred = false
      run()
    })
  }

  async function idle(): Promise<void> {
    while (running) await running
  }

  return {
    kick,
    idle,
    start() {
      run()
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
