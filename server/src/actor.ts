/** The signed-in user of a call, authenticated by the access token. */
export interface Actor {
  userId: string
}

/** The same with the auth session and the end of its access token, which limit a live stream. */
export interface SignedInActor extends Actor {
  sessionId: string
  /** When its access token expires. */
  tokenEndsAtMs: number
}
