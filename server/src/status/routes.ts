import { settingsPath } from '@deeb/core/settings-parts'
import {
  beginStatusLink as beginEndpoint,
  linkStatusByToken as linkByTokenEndpoint,
  readStatus as readEndpoint,
  testStatus as testEndpoint,
  unlinkStatus as unlinkEndpoint,
  updateStatus as updateEndpoint,
} from '@deeb/core/status/api'
import { CHAT_SYSTEMS } from '@deeb/core/status/systems'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { readFlowCookie, setFlowCookie } from '../auth/company/flow-cookie.ts'
import type { LimitIps } from '../http/rate-limit.ts'
import type { RouteDeps } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { beginStatusLink } from './begin-status-link.ts'
import { completeLink } from './complete-link.ts'
import { linkStatusByToken } from './link-status-by-token.ts'
import { readStatus } from './read-status.ts'
import type { Adapters } from './systems.ts'
import { testStatus } from './test-status.ts'
import { unlinkStatus } from './unlink-status.ts'
import { updateStatus } from './update-status.ts'

const CallbackParams = v.object({ system: v.picklist(CHAT_SYSTEMS) })

interface StatusRouteDeps extends Pick<RouteDeps, 'serve' | 'db' | 'publish'> {
  adapters: Adapters
  auth: Pick<AuthDeps, 'keys' | 'config' | 'mailer' | 'now'>
  ipRateLimit: LimitIps
}

/** After each change it publishes the presence of the caller, which wakes the servers that set the status. */
export function statusRoutes(
  app: FastifyInstance,
  { serve, db, publish, adapters, auth, ipRateLimit }: StatusRouteDeps,
): void {
  const { keys, mailer, now } = auth
  const { publicUrl } = auth.config
  const deps = { db, keys, adapters, publicUrl, now }

  function changed(userId: string): void {
    mailer.kick()
    publish({ kind: 'presence', id: userId })
  }

  serve(readEndpoint, LIMITS.read, ({ actor }) => readStatus(db, actor, adapters))

  serve(beginEndpoint, LIMITS.linkChat, async ({ actor, input, now, request, reply }) => {
    const { url, cookie } = await beginStatusLink(deps, actor, input, readFlowCookie(request, publicUrl), now)
    setFlowCookie(reply, cookie, publicUrl)
    return { url }
  })

  serve(linkByTokenEndpoint, LIMITS.linkChat, async ({ actor, input, now }) => {
    const answer = await linkStatusByToken(deps, actor, input, now)
    changed(actor.userId)
    return answer
  })

  serve(updateEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const answer = await updateStatus(db, actor, input, now)
    changed(actor.userId)
    return answer
  })

  serve(testEndpoint, LIMITS.testChat, async ({ actor, input, now }) => {
    const answer = await testStatus(db, actor, input, now)
    changed(actor.userId)
    return answer
  })

  serve(unlinkEndpoint, LIMITS.write, async ({ actor, input }) => {
    const answer = await unlinkStatus(db, actor, input)
    publish({ kind: 'presence', id: actor.userId })
    return answer
  })

  app.get('/api/status/callback/:system', ipRateLimit(LIMITS.chatCallback), async (request, reply) => {
    const params = v.safeParse(CallbackParams, request.params)
    if (!params.success) throw new Refusal('not_found')
    const { system } = params.output
    const query = new URL(request.url, publicUrl).searchParams
    const { outcome, userId } = await completeLink(deps, {
      system,
      query,
      flowCookie: readFlowCookie(request, publicUrl),
    })
    if (userId !== null) changed(userId)
    return reply.redirect(`${publicUrl}${settingsPath('status')}#${system}=${outcome}`, 303)
  })
}
