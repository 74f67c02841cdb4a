import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Uuid } from '../formats.ts'
import { Person } from '../team/connection.ts'

/** How somebody answers a knock: they come now, in 10 minutes, or later. */
export const KnockAnswer = v.picklist(['now', 'soon', 'later'])
export type KnockAnswer = v.InferOutput<typeof KnockAnswer>

/** A person knocks at most this often in any 24 hours, and at each person once per session of theirs. */
export const MAX_KNOCKS_PER_DAY = 3

const Id = v.pipe(Uuid, v.toLowerCase())

/** The knocks of the last hour from and to the caller, and who may knock. */
export const Knocks = v.object({
  /** The circles and connections of the caller whose people may knock at them. Nobody else can read it. */
  allowed: v.array(Uuid),
  /** Whom the caller may knock at while they are in deeb mode. */
  mayKnock: v.array(Uuid),
  /** Not answered yet, the oldest first. */
  received: v.array(Person),
  /** From the caller, until an answer was shown or, without one, the session ends. The answer is null until there is one. */
  sent: v.array(v.object({ userId: Uuid, answer: v.nullable(KnockAnswer) })),
})
export type Knocks = v.InferOutput<typeof Knocks>

export const allowKnocks = endpoint({
  method: 'POST',
  path: '/api/team/knocks/allow',
  summary:
    'Let the people of a connection or circle of the caller knock at them, or not any more. `id`: of the connection or circle. Idempotent. `not_found` for any other.',
  input: v.object({ id: Id, isAllowed: v.boolean() }),
  output: v.object({ isAllowed: v.boolean() }),
})

export const knock = endpoint({
  method: 'POST',
  path: '/api/team/knocks',
  summary:
    'Knock at somebody in deeb mode, which counts as an interruption of theirs. Once more while it waits: the same answer. `not_found` unless the caller may and sees that they are in deeb mode; `too_many_knocks` for the second in their session, or the fourth in 24 hours.',
  input: v.object({ userId: Id }),
  output: v.object({ isSent: v.literal(true) }),
})

export const answerKnock = endpoint({
  method: 'POST',
  path: '/api/team/knocks/answer',
  summary: 'Answer a knock at the caller. Idempotent: the first answer counts, and an unknown knock has the same one.',
  input: v.object({ userId: Id, answer: KnockAnswer }),
  output: v.object({ isAnswered: v.literal(true) }),
})

export const seeAnswer = endpoint({
  method: 'POST',
  path: '/api/team/knocks/seen',
  summary: 'Say that the answer to a knock of the caller was shown: the knock is forgotten. Idempotent.',
  input: v.object({ userId: Id }),
  output: v.object({ isForgotten: v.literal(true) }),
})
