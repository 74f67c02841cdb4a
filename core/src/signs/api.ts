import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../focus/api.ts'
import { MAX_LABEL_LENGTH, SignState } from './sign.ts'

const Id = z.uuid().check(z.toLowerCase())

/** A sign of the caller alone. */
export const OwnSign = z.object({
  id: z.uuid(),
  label: z.string(),
  showsName: z.boolean(),
  showsUntil: z.boolean(),
  createdAt: Instant,
  /** Up to five minutes late. Null if no display has read it. */
  lastSeenAt: z.nullable(Instant),
})
export type OwnSign = z.output<typeof OwnSign>

/** What a member lets the sign of a circle show of them. */
export const Agreement = z.enum(['nothing', 'dot', 'name'])
export type Agreement = z.output<typeof Agreement>

/** A circle of the caller, and its sign if it has one. */
export const SignCircle = z.object({
  circleId: z.uuid(),
  name: z.string(),
  /** Whether the caller is the keeper, who may make and revoke the sign. */
  isKeeper: z.boolean(),
  sign: z.nullable(
    z.object({
      id: z.uuid(),
      label: z.string(),
      createdAt: Instant,
      lastSeenAt: z.nullable(Instant),
      /** How many members agreed, the caller included. */
      agreed: z.int(),
      mine: Agreement,
    }),
  ),
})
export type SignCircle = z.output<typeof SignCircle>

export const readSigns = endpoint({
  method: 'GET',
  path: '/api/signs',
  summary: 'Read the door signs of the caller, newest first, and the circles of the caller with their signs.',
  input: z.object({}),
  output: z.object({ signs: z.array(OwnSign), circles: z.array(SignCircle) }),
})

export const createSign = endpoint({
  method: 'POST',
  path: '/api/signs',
  summary:
    'Create a door sign of the caller, or of a circle that the caller keeps. Only this answer has the secret of its link. `proof_needed` without a recent sign-in; `too_many_signs` with 5, or if the circle has one; `not_found` for any other circle.',
  input: z.object({
    label: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_LABEL_LENGTH), z.regex(/^\P{C}*$/u)),
    circleId: z.optional(Id),
    /** Not of a circle: there each member agrees for themselves. */
    showsName: z._default(z.boolean(), false),
    showsUntil: z._default(z.boolean(), false),
  }),
  output: z.object({ id: z.uuid(), token: z.string() }),
})

export const revokeSign = endpoint({
  method: 'POST',
  path: '/api/signs/revoke',
  summary:
    'Revoke a sign of the caller, or of a circle that the caller keeps: its link stops working. Idempotent: any other sign has the same answer.',
  input: z.object({ id: Id }),
  output: z.object({ revoked: z.literal(true) }),
})

export const agreeToSign = endpoint({
  method: 'PUT',
  path: '/api/signs/agreement',
  summary: 'Set what the sign of a circle of the caller shows of the caller. `not_found` for any other sign.',
  input: z.object({ id: Id, agreement: Agreement }),
  output: z.object({ agreement: Agreement }),
})

export const readSign = endpoint({
  method: 'GET',
  path: '/api/sign',
  scopes: ['sign'],
  summary:
    'Read what a door sign shows. The bearer is the secret of its link, or a personal access token, which reads the deeb mode of its owner without a name. `format=txt` answers with one line. Send the `ETag` back in `If-None-Match`: 304 says that the state is still the same, as of `Date`.',
  input: z.object({ format: z.optional(z.enum(['json', 'txt'])) }),
  output: SignState,
})
