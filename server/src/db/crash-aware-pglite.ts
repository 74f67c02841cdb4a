import { PGlite, type PGliteOptions } from '@electric-sql/pglite'

/** Not of a statement, but of the whole engine. */
const ENDS = new Set(['PANIC', 'FATAL'])

/**
 * A PGlite that tells when it has ended. PostgreSQL ends itself where it cannot write its log, and trusts that whoever
 * watches it starts it again. PGlite goes on as if nothing were: what is asked of it then is never answered, or keeps this
 * process busy for ever. This one asks it nothing more and fails at once.
 */
export class CrashAwarePGlite extends PGlite {
  /** Settles with the reason once it has ended by itself; after a `close` it never does. */
  readonly ended: Promise<Error>
  #reason: Error | null = null
  #tell: (reason: Error) => void = () => undefined

  constructor(options: PGliteOptions) {
    super(options)
    this.ended = new Promise((resolve) => {
      this.#tell = resolve
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
      // What a statement did wrong is a message: this is the engine itself.
      this.#end(error as Error)
      throw error
    }
  }

  #end(reason: Error): void {
    this.#reason ??= reason
    this.#tell(reason)
  }
}
