import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant, Int, maxCharacters, Uuid } from '../formats.ts'
import { SCOPES } from '../scopes.ts'

/** A person has at most this many tokens, expired ones included. */
export const MAX_TOKENS = 20
export const MAX_NAME_LENGTH = 60
/** The choices of the expiry, in days. */
export const DEFAULT_DAYS = 365
export const MAX_DAYS = 730

/** A token without its secret, which only the answer of its creation has. */
export const PersonalToken = v.object({
  id: Uuid,
  name: v.string(),
  scopes: v.array(v.picklist(SCOPES)),
  createdAt: Instant,
  expiresAt: Instant,
  /** Up to an hour late. Null if it was never used. */
  lastUsedAt: v.nullable(Instant),
})
export type PersonalToken = v.InferOutput<typeof PersonalToken>

export const readTokens = endpoint({
  method: 'GET',
  path: '/api/tokens',
  summary:
    'Read the personal access tokens of the caller, newest first, with those that have expired in the last 30 days.',
  input: v.object({}),
  output: v.object({ tokens: v.array(PersonalToken) }),
})

export const readOwnToken = endpoint({
  method: 'GET',
  path: '/api/tokens/own',
  scopes: SCOPES,
  summary: 'Read what the token of this call may do, and until when. A sign-in may do everything.',
  input: v.object({}),
  output: v.object({ scopes: v.array(v.picklist(SCOPES)), expiresAt: Instant }),
})

export const createToken = endpoint({
  method: 'POST',
  path: '/api/tokens',
  summary:
    'Create a personal access token. Only this answer has the token itself. `proof_needed` without a recent sign-in; `too_many_tokens` after 20.',
  input: v.object({
    name: v.pipe(v.string(), v.trim(), v.minLength(1), maxCharacters(MAX_NAME_LENGTH), v.regex(/^\P{C}*$/u)),
    scopes: v.pipe(v.array(v.picklist(SCOPES)), v.minLength(1), v.maxLength(SCOPES.length)),
    /** Valid for so many days. */
    days: v.optional(v.pipe(Int, v.minValue(1), v.maxValue(MAX_DAYS)), DEFAULT_DAYS),
  }),
  output: v.object({ token: v.string(), details: PersonalToken }),
})

export const revokeToken = endpoint({
  method: 'POST',
  path: '/api/tokens/revoke',
  summary:
    'Revoke a personal access token of the caller. Its live streams end. Idempotent: an unknown token has the same answer.',
  input: v.object({ id: v.pipe(Uuid, v.toLowerCase()) }),
  output: v.object({ revoked: v.literal(true) }),
})
