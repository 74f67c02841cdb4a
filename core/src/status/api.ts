import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { CHAT_SYSTEMS } from './systems.ts'

export const MAX_WORDS_CHARACTERS = 60

const System = z.enum(CHAT_SYSTEMS)
/** A secret that a person types, such as a personal access token. */
const Typed = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))

export const readStatus = endpoint({
  method: 'GET',
  path: '/api/status',
  summary: 'Read in which chat systems the caller can show deeb mode, and how they do.',
  input: z.object({}),
  output: z.object({
    systems: z.array(
      z.object({
        system: System,
        /** False: the administrator offers it no longer, so it can only be disconnected. */
        isOffered: z.boolean(),
        link: z.nullable(
          z.object({
            accountName: z.nullable(z.string()),
            workspaceName: z.nullable(z.string()),
            isOn: z.boolean(),
            withDnd: z.boolean(),
            words: z.nullable(z.string()),
            /** Whether the system has refused the tokens, so that the caller has to connect again. */
            isRefused: z.boolean(),
            testUntil: z.nullable(z.string()),
            /** How the last change of the status went; null before the first one. */
            last: z.nullable(
              z.object({ result: z.enum(['set', 'cleared', 'left', 'later', 'failed']), at: z.string() }),
            ),
          }),
        ),
      }),
    ),
  }),
})

export type StatusSystem = z.output<(typeof readStatus)['output']>['systems'][number]

export const beginStatusLink = endpoint({
  method: 'POST',
  path: '/api/status/link',
  summary:
    'Begin to connect a chat system with OAuth, and return the address at which the caller agrees. It works in this browser for 10 minutes. `proof_needed` without a recent re-authentication, `not_found` for a system that is not offered.',
  input: z.object({ system: System }),
  output: z.object({ url: z.string() }),
})

export const linkStatusByToken = endpoint({
  method: 'POST',
  path: '/api/status/link-by-token',
  summary:
    'Connect Mattermost or Zulip by the address of its server and a token of the caller. `proof_needed` without a recent re-authentication, `not_found` for a system that is not offered, `chat_refused` if the server refuses the token, `chat_taken` if another person has connected this account, `chat_unavailable` if it does not answer.',
  input: z.object({
    system: z.enum(['mattermost', 'zulip']),
    server: Typed,
    /** The address of the account, for Zulip only. */
    email: z.optional(Typed),
    token: Typed,
  }),
  output: z.object({ system: System }),
})

export const updateStatus = endpoint({
  method: 'PUT',
  path: '/api/status',
  summary: 'Set whether and how the status in a connected chat system is set. `not_found` if it is not connected.',
  input: z.object({
    system: System,
    isOn: z.boolean(),
    withDnd: z.boolean(),
    words: z.nullable(
      z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_WORDS_CHARACTERS), z.regex(/^[^\p{C}]*$/u)),
    ),
  }),
  output: z.object({ system: System }),
})

export const testStatus = endpoint({
  method: 'POST',
  path: '/api/status/test',
  summary: 'Set the status in a connected chat system for one minute. `not_found` if it is not connected.',
  input: z.object({ system: System }),
  output: z.object({ testUntil: z.string() }),
})

export const unlinkStatus = endpoint({
  method: 'POST',
  path: '/api/status/unlink',
  summary: 'Disconnect a chat system: the status is cleared, and the tokens are revoked and deleted. Idempotent.',
  input: z.object({ system: System }),
  output: z.object({ system: System }),
})
