/** Who calls, proved by the access token. */
export interface Actor {
  userId: string
}

/** The device that they call from, in so far as it matters how long it may go on. */
export interface SignedInActor extends Actor {
  sessionId: string
  /** When its access token expires. */
  tokenEndsAtMs: number
}
