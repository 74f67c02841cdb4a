/** The content of a push message. The service worker makes the notification from it, in the time zone of the device. */
export type PushMessage =
  /** A colleague for whom the user waited is free. `since` is when they switched off. */
  | { kind: 'free'; personId: string; name: string; since: string }
  /** The open session of the user may be forgotten. `since` is its start. */
  | { kind: 'still-on'; userId: string; sessionId: string; since: string }
