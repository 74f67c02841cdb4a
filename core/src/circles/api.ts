import * as v from 'valibot'
import { MAX_TYPED_LENGTH } from '../account/username.ts'
import { endpoint } from '../endpoint.ts'
import { Instant, Int, maxCharacters, Uuid } from '../formats.ts'
import { Person } from '../team/connection.ts'
import { OwnQuietTimes } from './quiet-api.ts'

/** Somebody else in a circle of the caller. */
export const CircleMember = v.object({
  person: Person,
  joinedAt: Instant,
  /** From when on the two see each other's deeb mode in this circle. */
  visibleFrom: Instant,
})
export type CircleMember = v.InferOutput<typeof CircleMember>

/** A circle of the caller. */
export const Circle = v.object({
  id: Uuid,
  name: v.string(),
  /** The secret of the link; null if nobody can join now. See `circleLink`. */
  invite: v.nullable(v.string()),
  /** Follows the secret in a link that the caller sends, and names them there. A new one each day; missing from older servers. */
  signature: v.optional(v.string()),
  /** Whether the caller is the keeper, the first member whose account is not switched off: may rename and close it, change its link, remove members. */
  isKeeper: v.boolean(),
  /** From when on the caller is visible to the members who joined before. */
  visibleFrom: Instant,
  /** Without the caller, and without people who hid or are hidden. Sorted by name. */
  people: v.array(CircleMember),
  /** Missing from older servers. */
  quiet: v.optional(OwnQuietTimes),
})
export type Circle = v.InferOutput<typeof Circle>

const Name = v.pipe(v.string(), maxCharacters(MAX_TYPED_LENGTH))
const Invite = v.pipe(v.string(), maxCharacters(100))
const Id = v.pipe(Uuid, v.toLowerCase())

export const readCircles = endpoint({
  method: 'GET',
  path: '/api/circles',
  summary: 'Read the circles of the caller with their members, and the people whom the caller hides. `circles_off`.',
  input: v.object({}),
  output: v.object({
    /** Sorted by name. */
    circles: v.array(Circle),
    /** Sorted by name. */
    hidden: v.array(Person),
    /** At most this many people are in a circle, the caller included. */
    circleSize: Int,
  }),
})

export const createCircle = endpoint({
  method: 'POST',
  path: '/api/circles',
  summary:
    'Create a circle with the caller as its first member. The name is trimmed. `too_many_circles` with 10 circles, or after 5 new ones in a day; `not_found` without a company; `circles_off`.',
  input: v.object({ name: Name }),
  output: v.object({ circleId: Uuid, invite: v.string() }),
})

export const previewCircle = endpoint({
  method: 'POST',
  path: '/api/circles/preview',
  summary:
    'Read a circle of the company of the caller by the secret of its link, before joining it. `not_found` for any other secret; `circles_off`.',
  input: v.object({ invite: Invite }),
  output: v.object({
    name: v.string(),
    /** Who would see the caller. Without the caller, and without people who hid or are hidden. Sorted by name. */
    people: v.array(Person),
    /** From when on, if the caller joins now; for a member from when on they are visible. */
    visibleFrom: Instant,
    isMember: v.boolean(),
  }),
})

export const joinCircle = endpoint({
  method: 'POST',
  path: '/api/circles/join',
  summary:
    'Join a circle of the company of the caller by the secret of its link. Idempotent. `not_found` for any other secret, `circle_full`, `too_many_circles` with 10 circles, `circles_off`.',
  input: v.object({ invite: Invite }),
  output: v.object({ circleId: Uuid, visibleFrom: Instant }),
})

export const leaveCircle = endpoint({
  method: 'POST',
  path: '/api/circles/leave',
  summary: 'Leave a circle. The last member deletes it. Idempotent: an unknown circle has the same answer.',
  input: v.object({ circleId: Id }),
  output: v.object({ left: v.literal(true) }),
})

export const renameCircle = endpoint({
  method: 'POST',
  path: '/api/circles/rename',
  summary: 'Rename a circle that the caller keeps. The name is trimmed. `not_found` for any other; `circles_off`.',
  input: v.object({ circleId: Id, name: Name }),
  output: v.object({ name: v.string() }),
})

export const changeCircleLink = endpoint({
  method: 'POST',
  path: '/api/circles/link',
  summary:
    'Replace the link of a circle that the caller keeps with a new one (`isOpen`), or with none. `not_found` for any other circle; `circles_off`.',
  input: v.object({ circleId: Id, isOpen: v.boolean() }),
  output: v.object({ invite: v.nullable(v.string()) }),
})

export const removeMember = endpoint({
  method: 'POST',
  path: '/api/circles/remove',
  summary:
    'Remove a member from a circle that the caller keeps. Idempotent: somebody who is no member has the same answer. `not_found` for any other circle; `circles_off`.',
  input: v.object({ circleId: Id, userId: Id }),
  output: v.object({ removed: v.literal(true) }),
})

export const closeCircle = endpoint({
  method: 'POST',
  path: '/api/circles/close',
  summary: 'Delete a circle that the caller keeps. `not_found` for any other; `circles_off`.',
  input: v.object({ circleId: Id }),
  output: v.object({ closed: v.literal(true) }),
})

export const hidePerson = endpoint({
  method: 'POST',
  path: '/api/circles/hide',
  summary:
    'Hide the caller and a colleague from each other in all circles, or show them again. Idempotent. Connections are not affected. `not_found` for anybody else; `circles_off`.',
  input: v.object({ userId: Id, isHidden: v.boolean() }),
  output: v.object({ isHidden: v.boolean() }),
})
