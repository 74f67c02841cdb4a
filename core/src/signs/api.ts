import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant, Int, maxCharacters, Uuid } from '../formats.ts'
import { MAX_LABEL_LENGTH, SignState } from './sign.ts'

const Id = v.pipe(Uuid, v.toLowerCase())

/** A sign of the caller alone. */
export const OwnSign = v.object({
  id: Uuid,
  label: v.string(),
  showsName: v.boolean(),
  showsUntil: v.boolean(),
  createdAt: Instant,
  /** Up to five minutes late. Null if no display has read it. */
  lastSeenAt: v.nullable(Instant),
})
export type OwnSign = v.InferOutput<typeof OwnSign>

/** The consent of a member to the sign of a circle: what it may show of them. */
export const Agreement = v.picklist(['nothing', 'dot', 'name'])
export type Agreement = v.InferOutput<typeof Agreement>

/** A circle of the caller, and its sign if it has one. */
export const SignCircle = v.object({
  circleId: Uuid,
  name: v.string(),
  /** Whether the caller is the keeper, who may make and revoke the sign. */
  isKeeper: v.boolean(),
  sign: v.nullable(
    v.object({
      id: Uuid,
      label: v.string(),
      createdAt: Instant,
      lastSeenAt: v.nullable(Instant),
      /** How many members agreed, the caller included. */
      agreed: Int,
      mine: Agreement,
    }),
  ),
})
export type SignCircle = v.InferOutput<typeof SignCircle>

export const readSigns = endpoint({
  method: 'GET',
  path: '/api/signs',
  summary: 'Read the door signs of the caller, newest first, and the circles of the caller with their signs.',
  input: v.object({}),
  output: v.object({ signs: v.array(OwnSign), circles: v.array(SignCircle) }),
})

export const createSign = endpoint({
  method: 'POST',
  path: '/api/signs',
  summary:
    'Create a door sign of the caller, or of a circle that the caller keeps. Only this answer has the secret of its link. `proof_needed` without a recent sign-in; `too_many_signs` with 5, or if the circle has one; `not_found` for any other circle.',
  input: v.object({
    label: v.pipe(v.string(), v.trim(), v.minLength(1), maxCharacters(MAX_LABEL_LENGTH), v.regex(/^\P{C}*$/u)),
    circleId: v.optional(Id),
    /** Not of a circle: there each member agrees for themselves. */
    showsName: v.optional(v.boolean(), false),
    showsUntil: v.optional(v.boolean(), false),
  }),
  output: v.object({ id: Uuid, token: v.string() }),
})

export const revokeSign = endpoint({
  method: 'POST',
  path: '/api/signs/revoke',
  summary:
    'Revoke a sign of the caller, or of a circle that the caller keeps: its link stops working. Idempotent: any other sign has the same answer.',
  input: v.object({ id: Id }),
  output: v.object({ revoked: v.literal(true) }),
})

export const agreeToSign = endpoint({
  method: 'PUT',
  path: '/api/signs/agreement',
  summary: 'Set what the sign of a circle of the caller shows of the caller. `not_found` for any other sign.',
  input: v.object({ id: Id, agreement: Agreement }),
  output: v.object({ agreement: Agreement }),
})

export const readSign = endpoint({
  method: 'GET',
  path: '/api/sign',
  scopes: ['sign'],
  summary:
    'Read what a door sign shows. The bearer is the secret of its link, or a personal access token, which reads the deeb mode of its owner without a name. `format=txt` answers with one line. Send the `ETag` back in `If-None-Match`: 304 says that the state is still the same, as of `Date`.',
  input: v.object({ format: v.optional(v.picklist(['json', 'txt'])) }),
  output: SignState,
})
