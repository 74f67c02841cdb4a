import * as v from 'valibot'
import { Instant, Int, LocalDate } from '../formats.ts'

const session = {
  sessionId: v.string(),
  startedAt: Instant,
}

const isOn = v.pipe(v.boolean(), v.description('Whether deeb mode is on after this event.'))
const isLate = v.pipe(
  v.boolean(),
  v.description('True for a session that was over when the server learned of it: a device was offline.'),
)

function message<Type extends string, Data extends v.GenericSchema>(type: Type, data: Data) {
  return v.object({
    type: v.literal(type),
    timestamp: v.pipe(
      Instant,
      v.description('When the server learned of it. The newest message has the newest state.'),
    ),
    data,
  })
}

/** The body of each message, as the OpenAPI document describes it. */
export const WEBHOOK_MESSAGES = {
  'focus.started': {
    summary: 'The person has switched deeb mode on.',
    body: message('focus.started', v.object({ ...session, targetMinutes: v.nullable(Int), isOn, isLate })),
  },
  'focus.ended': {
    summary: 'Deeb mode of the person is off: switched off, or ended by the server after 16 hours.',
    body: message(
      'focus.ended',
      v.object({
        ...session,
        endedAt: Instant,
        isForgotten: v.pipe(
          v.boolean(),
          v.description('True if the server ended it after 16 hours: the end may be wrong.'),
        ),
        isOn,
        isLate,
      }),
    ),
  },
  'goal.reached': {
    summary: "The minutes of a local day have reached the person's goal. Once a day.",
    body: message('goal.reached', v.object({ date: LocalDate, minutes: Int, goalMinutes: Int })),
  },
  'webhook.test': {
    summary: 'Sent by the button "Send a test".',
    body: message('webhook.test', v.object({})),
  },
} as const
