import { APP_PATHS } from '../paths.ts'

/** At most this many circles per person. */
export const MAX_CIRCLES = 10

/** The highest value of the setting CIRCLE_SIZE. */
export const MAX_CIRCLE_SIZE = 150

/** In the first hours of a circle its members see each other immediately. Somebody who joins later waits for as long. */
export const NEWCOMER_HOURS = 24

const NEWCOMER_MS = NEWCOMER_HOURS * 3_600_000

/** Returns the time from which somebody who joins a circle now and its other members see each other. */
export function visibleFrom(createdAt: Date, joinedAt: Date): Date {
  const isNew = joinedAt.getTime() - createdAt.getTime() < NEWCOMER_MS
  return isNew ? joinedAt : new Date(joinedAt.getTime() + NEWCOMER_MS)
}

/** The link that shows a circle and lets people join it. The secret is in the fragment, which no server receives or logs. */
export function circleLink(origin: string, invite: string): string {
  return `${origin}${APP_PATHS.circle}#${invite}`
}

/**
 * The name under which the secret of a link survives a sign-up: a member of its `data`, and a parameter in the fragment of the
 * confirmation link, which may be opened on another device.
 */
export const SIGN_UP_CIRCLE = 'circle'

/** The form of the secret of a link: 128 random bits in base64url. */
const INVITE = /^[\w-]{22}$/

/** The secret in the fragment of a link, with or without `#`. Null if it has another form. */
export function inviteOf(fragment: string): string | null {
  const invite = fragment.replace(/^#/, '')
  return INVITE.test(invite) ? invite : null
}
