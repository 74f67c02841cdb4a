import * as z from 'zod/mini'

const session = {
  sessionId: z.string(),
  startedAt: z.iso.datetime(),
}

const isOn = z.boolean().check(z.describe('Whether deeb mode is on after this event.'))
const isLate = z
  .boolean()
  .check(z.describe('True for a session that was over when the server learned of it: a device was offline.'))

function message<Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) {
  return z.object({
    type: z.literal(type),
    timestamp: z.iso
      .datetime()
      .check(z.describe('When the server learned of it. The newest message has the newest state.')),
    data,
  })
}

/** The body of each message, as the OpenAPI document describes it. */
export const WEBHOOK_MESSAGES = {
  'focus.started': {
    summary: 'The person has switched deeb mode on.',
    body: message('focus.started', z.object({ ...session, targetMinutes: z.nullable(z.int()), isOn, isLate })),
  },
  'focus.ended': {
    summary: 'Deeb mode of the person is off: switched off, or ended by the server after 16 hours.',
    body: message(
      'focus.ended',
      z.object({
        ...session,
        endedAt: z.iso.datetime(),
        isForgotten: z.boolean().check(z.describe('True if the server ended it after 16 hours: the end may be wrong.')),
        isOn,
        isLate,
      }),
    ),
  },
  'goal.reached': {
    summary: "The minutes of a local day have reached the person's goal. Once a day.",
    body: message('goal.reached', z.object({ date: z.iso.date(), minutes: z.int(), goalMinutes: z.int() })),
  },
  'webhook.test': {
    summary: 'Sent by the button "Send a test".',
    body: message('webhook.test', z.object({})),
  },
} as const
