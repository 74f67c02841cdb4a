/*
 * What is to become of a person's presses of the switch, whichever way and in whichever order the server hears of them: as
 * somebody with a sheet of squared paper would keep it, a square a minute. Shares no line with the code under test, and
 * knows no intervals, no gaps and no database.
 *
 * A square belongs to one press or to none. An on that comes with an off after it, whatever that names, takes the free
 * squares between the two. An on without one takes the free squares until the last taken one, and runs on from there; while something runs, it takes
 * the free squares before that and means what runs. An off ends what its press means, at its own time. 16 hours are the
 * most. What was told once changes nothing when it is told again, with two exceptions. What runs may be off by now. And a
 * press that turns out to be earlier is taken as if it were told for the first time, while it runs; while it means what
 * another press runs, it takes the free squares before that.
 */

export interface Press {
  to: 'on' | 'off'
  id: string
  /** Minute by the true clock. */
  at: number
}

const MOST = 16 * 60
/** Squares that stay whatever becomes of the press they were taken for. */
const NO_PRESS = ''
const OLDEST = 7 * 24 * 60

export class SquaredPaper {
  /** The press that each square belongs to. */
  readonly squares = new Map<number, string>()
  running: { id: string; since: number } | null = null
  /** What each press has come to mean. */
  #means = new Map<string, string>()
  #forgotten = new Set<string>()

  /** A server process looks for forgotten sessions. */
  sweep(now: number): void {
    const { running } = this
    if (running && now - running.since >= MOST) {
      this.#stopRunning(running.since + MOST)
      this.#forgotten.add(running.id)
    }
  }

  /** Presses that arrive together. Gives those that are refused. */
  hear(presses: Press[], now: number): Press[] {
    const tooOld = presses.filter(({ at }) => now - at > OLDEST)
    const heard = presses.filter((press) => !tooOld.includes(press))
    this.sweep(now)
    const unknown: Press[] = []
    for (const [n, press] of heard.entries()) {
      if (press.to === 'off') {
        if (!this.#means.has(press.id)) unknown.push(press)
        else this.#off(press)
        continue
      }
      const off = heard.slice(n).find(({ to }) => to === 'off')
      if (this.#means.has(press.id)) {
        this.#again(press, off?.at, now)
        if (off && this.#means.get(press.id) === press.id) this.#off({ ...press, at: off.at })
      } else if (off) this.#piece(press, off.at)
      else this.#on(press, now)
    }
    return [...tooOld, ...unknown]
  }

  #isFree(minute: number): boolean {
    return !this.squares.has(minute) && !(this.running && minute >= this.running.since)
  }

  /** Colours what is free, and says whether the last square was. */
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
    this.#means.set(id, id)
    const tookLast = this.#take(id, at, Math.min(offAt, at + MOST))
    if (tookLast && offAt > at + MOST) this.#forgotten.add(id)
  }

  #on(press: Press, now: number): void {
    const { id, at } = press
    const { running } = this
    if (now - at >= MOST && !(running && running.since <= at + MOST)) {
      this.#piece(press, Number.POSITIVE_INFINITY)
      return
    }
    if (running) {
      this.#take(NO_PRESS, at, running.since)
      this.#means.set(id, running.id)
      return
    }
    let since = at
    for (let minute = at; minute < now; minute++) if (this.squares.has(minute)) since = minute + 1
    this.#take(NO_PRESS, at, since)
    this.#means.set(id, id)
    this.running = { id, since }
  }

  #again(press: Press, offAt: number | undefined, now: number): void {
    const { running } = this
    if (!running || running.id !== this.#means.get(press.id) || press.at >= running.since) return
    if (running.id !== press.id) {
      this.#take(NO_PRESS, press.at, Math.min(running.since, offAt ?? now, press.at + MOST))
      return
    }
    this.running = null
    if (offAt === undefined) this.#on(press, now)
    else this.#piece(press, offAt)
  }

  #off({ id, at }: Press): void {
    const meant = this.#means.get(id)
    if (meant && this.running?.id === meant) {
      const { since } = this.running
      if (at > since + MOST) this.#forgotten.add(meant)
      this.#stopRunning(Math.min(at, since + MOST))
    } else if (meant && this.#forgotten.has(meant)) {
      const own = [...this.squares].filter(([, owner]) => owner === meant).map(([minute]) => minute)
      const later = own.filter((minute) => minute >= at)
      for (const minute of later) this.squares.delete(minute)
      if (later.length > 0) this.#forgotten.delete(meant)
    }
  }
}
