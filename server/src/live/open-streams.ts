import type { DisconnectReason, LiveStream } from './stream.ts'

/** The live streams that are open in this process, by owner: a user, or a door sign. */
export interface OpenStreams {
  /** Adds a stream. If its owner has too many, the oldest one is ended with `too-many`. Those of programs are counted apart. */
  add(stream: LiveStream): void
  /** Does nothing if the stream was removed before. */
  remove(stream: LiveStream): void
  /** Removes the stream, and sends the reason. */
  end(stream: LiveStream, reason: DisconnectReason): void
  /** Ends streams whose time is up, and destroys those whose client has stopped reading. Call it about once a second. */
  heartbeat(nowMs: number): void
  endAll(reason: DisconnectReason): void
  ofOwner(ownerId: string): readonly LiveStream[]
  all(): LiveStream[]
  ownerIds(): string[]
  /** The number of owners with a stream. In constant time, since it is asked for each change event. */
  ownerCount(): number
}

/** `max` is the number of streams per owner. */
export function createOpenStreams(max: number): OpenStreams {
  const byOwner = new Map<string, LiveStream[]>()

  const ofOwner = (ownerId: string) => byOwner.get(ownerId) ?? []
  const all = () => [...byOwner.values()].flat()

  function remove(stream: LiveStream): void {
    const left = ofOwner(stream.ownerId).filter((other) => other !== stream)
    if (left.length > 0) byOwner.set(stream.ownerId, left)
    else byOwner.delete(stream.ownerId)
  }

  function end(stream: LiveStream, reason: DisconnectReason): void {
    remove(stream)
    stream.end(reason)
  }

  return {
    add(stream) {
      const isOfProgram = stream.scopes !== null
      const [oldest, ...others] = ofOwner(stream.ownerId).filter(({ scopes }) => (scopes !== null) === isOfProgram)
      if (oldest && others.length + 1 >= max) end(oldest, 'too-many')
      byOwner.set(stream.ownerId, [...ofOwner(stream.ownerId), stream])
    },
    remove,
    end,
    heartbeat(nowMs) {
      for (const stream of all()) {
        if (stream.endsAtMs <= nowMs) end(stream, 'renew')
        else if (!stream.heartbeat()) {
          remove(stream)
          stream.destroy()
        }
      }
    },
    endAll(reason) {
      const streams = all()
      byOwner.clear()
      for (const stream of streams) stream.end(reason)
    },
    ofOwner,
    all,
    ownerIds: () => [...byOwner.keys()],
    ownerCount: () => byOwner.size,
  }
}
