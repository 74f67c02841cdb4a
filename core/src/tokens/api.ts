import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../focus/api.ts'
import { SCOPES } from '../scopes.ts'

/** A person has at most this many tokens, expired ones included. */
export const MAX_TOKENS = 20
export const MAX_NAME_LENGTH = 60
/** The choices of the expiry, in days. */
export const DEFAULT_DAYS = 365
export const MAX_DAYS = 730

/** A token without its secret, which only the answer of its creation has. */
export const PersonalToken = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: Instant,
  expiresAt: Instant,
  /** Up to an hour late. Null if it was never used. */
  lastUsedAt: z.nullable(Instant),
})
export type PersonalToken = z.output<typeof PersonalToken>

export const readTokens = endpoint({
  method: 'GET',
  path: '/api/tokens',
  summary:
    'Read the personal access tokens of the caller, newest first, with those that have expired in the last 30 days.',
  input: z.object({}),
  output: z.object({ tokens: z.array(PersonalToken) }),
})

export const readOwnToken = endpoint({
  method: 'GET',
  path: '/api/tokens/own',
  scopes: SCOPES,
  summary: 'Read what the token of this call may do, and until when. A sign-in may do everything.',
  input: z.object({}),
  output: z.object({ scopes: z.array(z.enum(SCOPES)), expiresAt: Instant }),
})

export const createToken = endpoint({
  method: 'POST',
  path: '/api/tokens',
  summary:
    'Create a personal access token. Only this answer has the token itself. `proof_needed` without a recent sign-in; `too_many_tokens` after 20.',
  input: z.object({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NAME_LENGTH), z.regex(/^\P{C}*$/u)),
    scopes: z.array(z.enum(SCOPES)).check(z.minLength(1), z.maxLength(SCOPES.length)),
    /** Valid for so many days. */
    days: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DAYS)), DEFAULT_DAYS),
  }),
  output: z.object({ token: z.string(), details: PersonalToken }),
})

export const revokeToken = endpoint({
  method: 'POST',
  path: '/api/tokens/revoke',
  summary:
    'Revoke a personal access token of the caller. Its live streams end. Idempotent: an unknown token has the same answer.',
  input: z.object({ id: z.uuid().check(z.toLowerCase()) }),
  output: z.object({ revoked: z.literal(true) }),
})
