import {
  claimCase as claimEndpoint,
  createCase as createEndpoint,
  readCases as readEndpoint,
  revokeCase as revokeEndpoint,
  tapCase as tapEndpoint,
} from '@deeb/core/cases/api'
import type { FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { callerOf } from '../auth/http/caller.ts'
import type { RouteDeps } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { createIpBuckets } from '../limits/ip-buckets.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createRateLimit } from '../limits/rate-limit.ts'
import { claimCase } from './claim-case.ts'
import { createCase } from './create-case.ts'
import { readCases } from './read-cases.ts'
import { revokeCase } from './revoke-case.ts'
import { tapCase } from './tap-case.ts'

type CasesDeps = Pick<RouteDeps, 'serve' | 'db' | 'withinLimit'> & Pick<AuthDeps, 'config' | 'limitStore'>

export function casesRoutes({ serve, db, withinLimit, config, limitStore }: CasesDeps): void {
  const wrongCodes = createRateLimit(createIpBuckets(limitStore), LIMITS.wrongCase, {
    refusal: (waitSeconds) => new Refusal('too_many_attempts', undefined, waitSeconds),
    isRefunded: () => false,
  })
  /** Counts wrong codes alone, so that nobody can use up what the owner of a code needs. */
  async function countingWrong<Answer>(request: FastifyRequest, now: Date, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') wrongCodes.take(callerOf(request, config).ip, now)
      throw error
    }
  }

  serve(readEndpoint, LIMITS.read, ({ actor }) => readCases(db, actor))
  serve(createEndpoint, LIMITS.write, ({ actor, now }) =>
    withinLimit(LIMITS.newCase, actor.userId, () => createCase(db, actor, now)),
  )
  serve(revokeEndpoint, LIMITS.write, ({ actor, input }) => revokeCase(db, actor, input))
  serve(tapEndpoint, LIMITS.tapCase, ({ actor, input, now, request }) =>
    countingWrong(request, now, tapCase(db, actor, input)),
  )
  serve(claimEndpoint, LIMITS.tapCase, ({ actor, input, now, request }) =>
    // Nobody can use up the codes of a sheet.
    withinLimit(LIMITS.newCase, actor.userId, () => countingWrong(request, now, claimCase(db, actor, input, now))),
  )
}
