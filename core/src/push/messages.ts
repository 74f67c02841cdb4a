/** The content of a push message. The service worker makes the notification from it, in the time zone of the device. */
export type PushMessage =
  /** A colleague for whom the user waited is free. `since` is when they switched off. */
  | { kind: 'free'; personId: string; name: string; since: string }
  /** The open session of the user may be forgotten. `since` is its start. */
  | { kind: 'still-on'; userId: string; sessionId: string; since: string }
  /** A quiet time has begun, in which the user takes part. */
  | { kind: 'quiet'; userId: string; circleId: string; circle: string; endsAt: string }
  /** Somebody knocks at the user. */
  | { kind: 'knock'; personId: string; name: string }
  /** Somebody has answered a knock of the user. */
  | { kind: 'knock-answer'; personId: string; name: string; answer: 'now' | 'soon' | 'later' }
