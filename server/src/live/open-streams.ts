import type { DisconnectReason, LiveStream } from './stream.ts'

/** The live streams that are open in this process, by user. */
export interface OpenStreams {
  /** Adds a stream. If the user has too many, their oldest one is ended with `too-many`. Those of programs are counted apart. */
  add(stream: LiveStream): void
  /** Does nothing if the stream was removed before. */
  remove(stream: LiveStream): void
  /** Removes the stream, and sends the reason. */
  end(stream: LiveStream, reason: DisconnectReason): void
  /** Ends streams whose time is up, and destroys those whose client has stopped reading. Call it about once a second. */
  heartbeat(nowMs: number): void
  endAll(reason: DisconnectReason): void
  ofUser(userId: string): readonly LiveStream[]
  all(): LiveStream[]
  userIds(): string[]
  /** The number of users with a stream. In constant time, since it is asked for each change event. */
  userCount(): number
}

/** `max` is the number of streams per user. The streams of signs use the id of their sign as user. */
export function createOpenStreams(max: number): OpenStreams {
  const byUser = new Map<string, LiveStream[]>()

  const ofUser = (userId: string) => byUser.get(userId) ?? []
  const all = () => [...byUser.values()].flat()

  function remove(stream: LiveStream): void {
    const left = ofUser(stream.userId).filter((other) => other !== stream)
    if (left.length > 0) byUser.set(stream.userId, left)
    else byUser.delete(stream.userId)
  }

  function end(stream: LiveStream, reason: DisconnectReason): void {
    remove(stream)
    stream.end(reason)
  }

  return {
    add(stream) {
      const isOfProgram = stream.scopes !== null
      const [oldest, ...others] = ofUser(stream.userId).filter(({ scopes }) => (scopes !== null) === isOfProgram)
      if (oldest && others.length + 1 >= max) end(oldest, 'too-many')
      byUser.set(stream.userId, [...ofUser(stream.userId), stream])
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
      byUser.clear()
      for (const stream of streams) stream.end(reason)
    },
    ofUser,
    all,
    userIds: () => [...byUser.keys()],
    userCount: () => byUser.size,
  }
}
