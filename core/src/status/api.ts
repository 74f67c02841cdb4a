import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { maxCharacters } from '../formats.ts'
import { CHAT_SYSTEMS } from './systems.ts'

export const MAX_WORDS_CHARACTERS = 60

const System = v.picklist(CHAT_SYSTEMS)
/** A secret that a person types, such as a personal access token. */
const Typed = v.pipe(v.string(), v.trim(), v.minLength(1), maxCharacters(200))

export const readStatus = endpoint({
  method: 'GET',
  path: '/api/status',
  summary: 'Read in which chat systems the caller can show deeb mode, and how they do.',
  input: v.object({}),
  output: v.object({
    systems: v.array(
      v.object({
        system: System,
        /** False: the administrator offers it no longer, so it can only be disconnected. */
        isOffered: v.boolean(),
        link: v.nullable(
          v.object({
            accountName: v.nullable(v.string()),
            workspaceName: v.nullable(v.string()),
            isOn: v.boolean(),
            withDnd: v.boolean(),
            words: v.nullable(v.string()),
            /** Whether the system has refused the tokens, so that the caller has to connect again. */
            isRefused: v.boolean(),
            testUntil: v.nullable(v.string()),
            /** How the last change of the status went; null before the first one. */
            last: v.nullable(
              v.object({ result: v.picklist(['set', 'cleared', 'left', 'later', 'failed']), at: v.string() }),
            ),
          }),
        ),
      }),
    ),
  }),
})

export type StatusSystem = v.InferOutput<(typeof readStatus)['output']>['systems'][number]

export const beginStatusLink = endpoint({
  method: 'POST',
  path: '/api/status/link',
  summary:
    'Begin to connect a chat system with OAuth, and return the address at which the caller agrees. It works in this browser for 10 minutes. `proof_needed` without a recent re-authentication, `not_found` for a system that is not offered.',
  input: v.object({ system: System }),
  output: v.object({ url: v.string() }),
})

export const linkStatusByToken = endpoint({
  method: 'POST',
  path: '/api/status/link-by-token',
  summary:
    'Connect Mattermost or Zulip by the address of its server and a token of the caller. `proof_needed` without a recent re-authentication, `not_found` for a system that is not offered, `chat_refused` if the server refuses the token, `chat_taken` if another person has connected this account, `chat_unavailable` if it does not answer.',
  input: v.object({
    system: v.picklist(['mattermost', 'zulip']),
    server: Typed,
    /** The address of the account, for Zulip only. */
    email: v.optional(Typed),
    token: Typed,
  }),
  output: v.object({ system: System }),
})

export const updateStatus = endpoint({
  method: 'PUT',
  path: '/api/status',
  summary: 'Set whether and how the status in a connected chat system is set. `not_found` if it is not connected.',
  input: v.object({
    system: System,
    isOn: v.boolean(),
    withDnd: v.boolean(),
    words: v.nullable(
      v.pipe(v.string(), v.trim(), v.minLength(1), maxCharacters(MAX_WORDS_CHARACTERS), v.regex(/^[^\p{C}]*$/u)),
    ),
  }),
  output: v.object({ system: System }),
})

export const testStatus = endpoint({
  method: 'POST',
  path: '/api/status/test',
  summary: 'Set the status in a connected chat system for one minute. `not_found` if it is not connected.',
  input: v.object({ system: System }),
  output: v.object({ testUntil: v.string() }),
})

export const unlinkStatus = endpoint({
  method: 'POST',
  path: '/api/status/unlink',
  summary: 'Disconnect a chat system: the status is cleared, and the tokens are revoked and deleted. Idempotent.',
  input: v.object({ system: System }),
  output: v.object({ system: System }),
})
