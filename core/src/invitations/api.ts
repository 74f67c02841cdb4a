import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Int, maxCharacters } from '../formats.ts'

export const createInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations',
  summary:
    'Sign a link that invites to the company of the caller, for 30 days. It ends earlier if the caller leaves the company or is switched off. `not_found` without a company.',
  input: v.object({}),
  output: v.object({
    /** See `companyLink`. */
    signature: v.string(),
  }),
})

export const readInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/read',
  summary:
    'Read who invites to what, by the fragment of a link to a circle or a company. For anyone with the link. `not_found` for any other text, and for a link that has ended.',
  input: v.object({ invite: v.pipe(v.string(), maxCharacters(100)) }),
  output: v.object({
    /** The first name, else the username, of the person who sent the link; null if the link does not name them. */
    inviter: v.nullable(v.string()),
    /** The name of the circle; null for the link of a company. */
    circle: v.nullable(v.string()),
    domain: v.string(),
    /** A number that the people in it exceed: 5, 10, 20, 50, 100, or 200 for hundreds. Null for a few. */
    people: v.nullable(Int),
  }),
})
