/** Who calls, proved by the access token. */
export interface Actor {
  userId: string
}
