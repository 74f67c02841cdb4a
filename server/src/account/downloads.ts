import { Readable } from 'node:stream'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/** Enough for a long history on a slow line. A client that takes longer loses the connection. */
const MAX_DURATION_MS = 15 * 60_000

export interface Downloads {
  /** Streams the pieces of a text about the user. Throws `download_running` while another download of the user runs. */
  start(actor: Actor, pieces: AsyncGenerator<string>): Promise<Readable>
}

/** Limits downloads to one at a time per account, in this process. A download ends when its stream closes. */
export function createDownloads(): Downloads {
  const running = new Set<string>()
  return {
    async start({ userId }, pieces) {
      if (running.has(userId)) throw new Refusal('download_running')
      running.add(userId)
      try {
        // Read the first chunk before the response starts, so that a database failure is an error and not a truncated response.
        const first = await pieces.next()
        const stream = Readable.from(startingWith(first.value ?? '', pieces))
        const timer = setTimeout(() => stream.destroy(), MAX_DURATION_MS).unref()
        stream.once('close', () => {
          clearTimeout(timer)
          running.delete(userId)
        })
        return stream
      } catch (error) {
        running.delete(userId)
        throw error
      }
    },
  }
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
