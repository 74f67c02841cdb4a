import {
  agreeToSign as agreeEndpoint,
  createSign as createEndpoint,
  readSigns as listEndpoint,
  readSign as readEndpoint,
  revokeSign as revokeEndpoint,
} from '@deeb/core/signs/api'
import { SIGN_LIVE_PATH } from '@deeb/core/signs/display'
import { signLine } from '@deeb/core/signs/sign'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPersonalToken } from '../auth/personal-tokens/token-format.ts'
import { sendStream, streamEnd } from '../http/send-stream.ts'
import { type RouteDeps, type ServeDeps, schemaOf, signedInWithin } from '../http/serve.ts'
import { etagOf, hasEtag } from '../lib/etag.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { Hub } from '../live/hub.ts'
import { type ReadSign, readSignOfOwner } from '../presence/read-sign-states.ts'
import { agreeToSign } from './agree-to-sign.ts'
import { createSign } from './create-sign.ts'
import { readSigns } from './read-signs.ts'
import { revokeSign } from './revoke-sign.ts'
import { type SignOfToken, secretOf } from './sign-of-request.ts'

interface SignRouteDeps extends RouteDeps, ServeDeps {
  hub: Hub
  signOfToken: SignOfToken
}

/** Signs of the signed-in user, then what a display reads with the secret of a link. */
export function signsRoutes(
  app: FastifyInstance,
  { serve, db, publish, withinLimit, circleSize, ...deps }: SignRouteDeps,
) {
  serve(listEndpoint, LIMITS.read, ({ actor }) => readSigns(db, actor, circleSize))
  serve(createEndpoint, LIMITS.write, ({ actor, input, now }) =>
    withinLimit(LIMITS.newSign, actor.userId, () => createSign(db, actor, input, now)),
  )
  serve(revokeEndpoint, LIMITS.write, async ({ actor, input }) => {
    const answer = await revokeSign(db, actor, input)
    publish({ kind: 'sign', id: input.id })
    return answer
  })
  serve(agreeEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const answer = await agreeToSign(db, actor, input, now)
    publish({ kind: 'sign', id: input.id })
    return answer
  })
  displayRoutes(app, { db, ...deps })
}

type DisplayDeps = Pick<SignRouteDeps, 'db' | 'hub' | 'signOfToken' | 'signedIn' | 'rateLimit' | 'now'>

function displayRoutes(app: FastifyInstance, { db, hub, signOfToken, signedIn, rateLimit, now }: DisplayDeps) {
  const signs = new WeakMap<FastifyRequest, ReadSign>()
  const { hooks, actorOf } = signedInWithin(LIMITS.readSign, { signedIn, rateLimit }, readEndpoint.scopes)
  async function byLink(request: FastifyRequest) {
    signs.set(request, await signOfToken(request, secretOf(request)))
  }
  async function byLinkOrToken(request: FastifyRequest) {
    if (!isPersonalToken(secretOf(request) ?? '')) return byLink(request)
    await hooks.onRequest(request)
    signs.set(request, await readSignOfOwner(db, actorOf(request), now()))
  }
  function signOf(request: FastifyRequest): ReadSign {
    const sign = signs.get(request)
    if (!sign) throw new Refusal('not_signed_in')
    return sign
  }

  const schema = {
    ...schemaOf(readEndpoint),
    security: [{ sign: [] }, { personalToken: [] }],
    'x-scopes': readEndpoint.scopes,
  }
  const { method, path: url } = readEndpoint
  app.route({
    ...{ method, url, schema, exposeHeadRoute: false },
    ...{ onRequest: byLinkOrToken, onError: hooks.onError },
    handler: async (request, reply) => {
      const { format } = request.query as { format?: 'json' | 'txt' }
      return sendState(request, reply, signOf(request), format ?? 'json')
    },
  })
  app.get(SIGN_LIVE_PATH, { exposeHeadRoute: false, onRequest: byLink }, async (request, reply) => {
    const stream = hub.signs.open(signOf(request), streamEnd(now()))
    const response = sendStream(request, reply, () => hub.signs.remove(stream))
    if (response) hub.signs.greet(stream, response)
  })
}

/** No cache may answer without asking. A display that sends the ETag of an unchanged state gets a 304. */
function sendState(request: FastifyRequest, reply: FastifyReply, { id, state }: ReadSign, format: 'json' | 'txt') {
  // Without its time, so a weak one.
  const { asOf, ...same } = state
  const etag = etagOf(JSON.stringify([id, format, same]))
  reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization', etag: `W/${etag}` })
  if (hasEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return format === 'json' ? reply.send(state) : reply.type('text/plain; charset=utf-8').send(`${signLine(state)}\n`)
}
