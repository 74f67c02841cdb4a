import type { Circle } from '@deeb/core/circles/api'
import { circleLink } from '@deeb/core/circles/circle'
import { SERVER } from '../platform.ts'

/** `1 person` or `8 people`: the members of a circle, the user included. */
export function sizeText({ people }: Circle): string {
  const size = people.length + 1
  return size === 1 ? '1 person' : `${size} people`
}

/** The link with which colleagues join. */
export function linkOf(invite: string): string {
  return circleLink(SERVER || window.location.origin, invite)
}
