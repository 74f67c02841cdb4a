import type { Circle } from '@deeb/core/circles/api'
import { circleLink } from '@deeb/core/invitations/invitation'
import * as texts from '@deeb/texts/circles'
import { SERVER } from '../device/platform.ts'

/** The number of members of a circle, the user included. */
export function sizeOf({ people }: Circle): number {
  return people.length + 1
}

/** `1 person` or `8 people`. */
export function sizeText(circle: Circle): string {
  return texts.people({ count: sizeOf(circle) })
}

/** The link with which colleagues join. It names the user who sends it. */
export function linkOf(invite: string, { signature }: Circle): string {
  return circleLink(SERVER || window.location.origin, invite, signature)
}
