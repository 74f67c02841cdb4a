import { PGlite, type PGliteOptions } from '@electric-sql/pglite'

/** Severities of errors that end the whole engine, not just one statement. */
const ENDS = new Set(['PANIC', 'FATAL'])

/**
 * A PGlite that detects its own crash. PostgreSQL exits when it cannot write its log, and its supervisor restarts it.
 * PGlite keeps running: later statements never return, or loop forever. This class fails every statement after a crash
 * instead.
 */
export class CrashAwarePGlite extends PGlite {
  /** Resolves with the reason after a crash. Stays pending after `close`. */
  readonly ended: Promise<Error>
  #reason: Error | null = null
  #resolveEnded: (reason: Error) => void = () => undefined

  constructor(options: PGliteOptions) {
    super(options)
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  override async execProtocolStream(
    ...call: Parameters<PGlite['execProtocolStream']>
  ): ReturnType<PGlite['execProtocolStream']> {
    if (this.#reason) throw this.#reason
    try {
      const messages = await super.execProtocolStream(...call)
      const last = messages.find((message) => 'severity' in message && ENDS.has(`${message.severity}`))
      if (last instanceof Error) this.#end(last)
      return messages
    } catch (error) {
      // A failed statement is a message. An exception comes from the engine itself.
      this.#end(error as Error)
      throw error
    }
  }

  #end(reason: Error): void {
    this.#reason ??= reason
    this.#resolveEnded(reason)
  }
}
