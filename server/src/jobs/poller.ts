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

interface CallsDeps<Due> extends Pick<PollerDeps, 'everyMs' | 'onError'> {
  /** How many calls may be in flight. */
  max: number
  /** Claims what is due, at most `room`, and nothing that has to wait for one of `inFlight`. */
  claim(room: number, inFlight: readonly Due[]): Promise<Due[]>
  call(due: Due): Promise<void>
}

/** A poller whose work is calls to others. None waits for the answer to another one: each answer makes room for the next call. */
export function createCallPoller<Due>({ max, claim, call, everyMs, onError }: CallsDeps<Due>): Poller {
  const inFlight = new Set<Due>()
  const running = new Set<Promise<void>>()
  const poller = createPoller({ work: callDue, everyMs, onError, defer: (work) => work() })

  async function callDue(): Promise<boolean> {
    const room = max - inFlight.size
    const claimed = room > 0 ? await claim(room, [...inFlight]) : []
    for (const due of claimed) {
      inFlight.add(due)
      const calling = callOne(due).finally(() => running.delete(calling))
      running.add(calling)
    }
    return false
  }

  /** Until what it made due has been claimed. */
  async function callOne(due: Due): Promise<void> {
    await call(due).catch(onError)
    inFlight.delete(due)
    poller.kick()
    await poller.idle()
  }

  async function idle(): Promise<void> {
    await poller.idle()
    while (running.size > 0) await Promise.all(running)
  }

  return {
    ...poller,
    idle,
    async stop() {
      await poller.stop()
      await Promise.all(running)
    },
  }
}
