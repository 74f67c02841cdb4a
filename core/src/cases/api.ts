import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Instant, Uuid } from '../formats.ts'
import { LINK_SECRET } from '../link-secret.ts'

const Code = v.pipe(v.string(), v.regex(LINK_SECRET))

export const readCases = endpoint({
  method: 'GET',
  path: '/api/cases',
  summary: 'Read the codes of the caller, newest first.',
  input: v.object({}),
  output: v.object({ cases: v.array(v.object({ id: Uuid, since: Instant })) }),
})

export const createCase = endpoint({
  method: 'POST',
  path: '/api/cases',
  summary: 'Make a code. Only this answer has it. `too_many_cases` with 5.',
  input: v.object({}),
  output: v.object({ id: Uuid, code: v.string() }),
})

export const revokeCase = endpoint({
  method: 'POST',
  path: '/api/cases/revoke',
  summary: 'Revoke a code of the caller. Idempotent: any other code has the same answer.',
  input: v.object({ id: v.pipe(Uuid, v.toLowerCase()) }),
  output: v.object({ revoked: v.literal(true) }),
})

export const tapCase = endpoint({
  method: 'POST',
  path: '/api/cases/tap',
  summary:
    "Read whether a code is the caller's: `own`, or `unclaimed` if it is of their company and nobody has it. Changes nothing. `not_found` for any other code.",
  input: v.object({ code: Code }),
  output: v.object({ whose: v.picklist(['own', 'unclaimed']) }),
})

export const claimCase = endpoint({
  method: 'POST',
  path: '/api/cases/claim',
  summary:
    'Claim an unclaimed code of the company of the caller. Idempotent. `not_found` as for a tap; `too_many_cases` with 5.',
  input: v.object({ code: Code }),
  output: v.object({ whose: v.literal('own') }),
})
