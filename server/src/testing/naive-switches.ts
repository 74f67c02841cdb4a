/*
 * The model of the switch for property tests: it replays presses in any order of arrival. It shares no code with the product,
 * and has no intervals, gaps or database.
 *
 * A person's time is a sheet of squared paper with one square per minute. A square belongs to one session or is free:
 *
 *     on with an off after it     takes the free squares between the two, whichever session the off names
 *     on without an off           takes the free squares up to the last taken one, and runs from there
 *     on while a session runs     takes the free squares before that session, and its id becomes an alias
 *     off                         ends the session with its id or alias
 *
 * A session is clipped at 16 hours. A replay is idempotent, with two exceptions. An off that is new ends the session that its
 * on started earlier. An on that is earlier than before moves the start of its running session back.
 */

export interface Press {
  to: 'on' | 'off'
  id: string
  /** Minute by the server's clock. */
  at: number
}

const MAX_MINUTES = 16 * 60
/** The session of squares that no later off or replay frees. */
const PIECE = ''
/** Older presses are refused. */
const WINDOW_MINUTES = 7 * 24 * 60

export class SquaredPaper {
  /** From each taken minute to the id of its session. */
  readonly squares = new Map<number, string>()
  running: { id: string; since: number } | null = null
  /** From the id of each on to the id of its session, which differs for an alias. */
  #sessionOf = new Map<string, string>()
  #forgotten = new Set<string>()

  /** Ends an overdue session, like the periodic job of the server. */
  closeForgotten(now: number): void {
    const { running } = this
    if (running && now - running.since >= MAX_MINUTES) {
      this.#stopRunning(running.since + MAX_MINUTES)
      this.#forgotten.add(running.id)
    }
  }

  /** Replays presses that arrive in one request, and returns the refused ones. */
  replay(presses: Press[], now: number): Press[] {
    const tooOld = presses.filter(({ at }) => now - at > WINDOW_MINUTES)
    const accepted = presses.filter((press) => !tooOld.includes(press))
    const refused = tooOld.filter((press) => !this.#isRepeated(press))
    this.closeForgotten(now)
    const unknown: Press[] = []
    for (const [n, press] of accepted.entries()) {
      if (press.to === 'off') {
        if (!this.#sessionOf.has(press.id)) unknown.push(press)
        else this.#off(press)
        continue
      }
      const off = accepted.slice(n).find(({ to }) => to === 'off')
      if (this.#sessionOf.has(press.id)) {
        this.#moveStartBack(press, off?.at, now)
        if (off && this.#sessionOf.get(press.id) === press.id) this.#off({ ...press, at: off.at })
      } else if (off) this.#piece(press, off.at)
      else this.#on(press, now)
    }
    return [...refused, ...unknown]
  }

  /** Whether an earlier request has applied this press, so that it is answered once more. */
  #isRepeated({ to, id }: Press): boolean {
    const session = this.#sessionOf.get(id)
    return session !== undefined && (to === 'on' || this.running?.id !== session)
  }

  #isFree(minute: number): boolean {
    return !this.squares.has(minute) && !(this.running && minute >= this.running.since)
  }

  /** Takes the free squares, and returns whether the last square was free. */
  #take(id: string, from: number, to: number): boolean {
    let tookLast = false
    for (let minute = from; minute < to; minute++) {
      tookLast = this.#isFree(minute)
      if (tookLast) this.squares.set(minute, id)
    }
    return tookLast
  }

  #stopRunning(at: number): void {
    if (!this.running) return
    const { id, since } = this.running
    this.running = null
    this.#take(id, since, at)
  }

  #piece({ id, at }: Press, offAt: number): void {
    this.#sessionOf.set(id, id)
    const tookLast = this.#take(id, at, Math.min(offAt, at + MAX_MINUTES))
    if (tookLast && offAt > at + MAX_MINUTES) this.#forgotten.add(id)
  }

  #on(press: Press, now: number): void {
    const { id, at } = press
    const { running } = this
    if (now - at >= MAX_MINUTES && !(running && running.since <= at + MAX_MINUTES)) {
      this.#piece(press, Number.POSITIVE_INFINITY)
      return
    }
    if (running) {
      this.#take(PIECE, at, running.since)
      this.#sessionOf.set(id, running.id)
      return
    }
    let since = at
    for (let minute = at; minute < now; minute++) if (this.squares.has(minute)) since = minute + 1
    this.#take(PIECE, at, since)
    this.#sessionOf.set(id, id)
    this.running = { id, since }
  }

  #moveStartBack(press: Press, offAt: number | undefined, now: number): void {
    const { running } = this
    if (!running || running.id !== this.#sessionOf.get(press.id) || press.at >= running.since) return
    if (running.id !== press.id) {
      this.#take(PIECE, press.at, Math.min(running.since, offAt ?? now, press.at + MAX_MINUTES))
      return
    }
    this.running = null
    if (offAt === undefined) this.#on(press, now)
    else this.#piece(press, offAt)
  }

  #off({ id, at }: Press): void {
    const session = this.#sessionOf.get(id)
    if (session && this.running?.id === session) {
      const { since } = this.running
      if (at > since + MAX_MINUTES) this.#forgotten.add(session)
      this.#stopRunning(Math.min(at, since + MAX_MINUTES))
    } else if (session && this.#forgotten.has(session)) {
      const own = [...this.squares].filter(([, owner]) => owner === session).map(([minute]) => minute)
      const later = own.filter((minute) => minute >= at)
      for (const minute of later) this.squares.delete(minute)
      if (later.length > 0) this.#forgotten.delete(session)
    }
  }
}
