import type { answerKnock as answerEndpoint, seeAnswer as seeEndpoint } from '@deeb/core/alerts/knock-api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { pushInsert } from '../push/queue-push.ts'
import { forgetting, IS_ALLOWED, IS_FRESH, KEPT_FOR } from './knocks.ts'

const answer = statement(
  'alerts.answer-knock',
  `with answered as (
    update knocks set answer = :answer
    where sender_id = :senderId and receiver_id = :userId and answer is null and ${IS_FRESH} and ${IS_ALLOWED}
    returning id, sender_id as user_id
  ), queued as (
    ${pushInsert({ kind: "'knock-answer'", about: 'id', worth: KEPT_FOR, from: 'answered' })}
  )
  select from answered`,
)

const see = statement(
  'alerts.see-answer',
  `with ${forgetting('sender_id = :userId and receiver_id = :receiverId and answer is not null')} select from gone`,
)

/** Stores the answer of the actor to a knock, until its sender has seen it. The first one counts: `isNew`. */
export async function answerKnock(
  db: Db,
  { userId }: Actor,
  input: InputOf<typeof answerEndpoint>,
  now: Date,
  circlesAt: Date | null,
): Promise<OutputOf<typeof answerEndpoint> & { isNew: boolean }> {
  const answered = await db.query(answer, { userId, senderId: input.userId, answer: input.answer, now, circlesAt })
  return { isAnswered: true, isNew: answered.length > 0 }
}

/** Forgets a knock of the actor whose answer was shown. */
export async function seeAnswer(
  db: Db,
  { userId }: Actor,
  input: InputOf<typeof seeEndpoint>,
): Promise<OutputOf<typeof seeEndpoint>> {
  await db.query(see, { userId, receiverId: input.userId })
  return { isForgotten: true }
}
