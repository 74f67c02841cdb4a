import { Uuid } from '@deeb/core/formats'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { nativeAppOf } from '../../config/native-origins.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError, isClients } from '../http/auth-error.ts'
import { callerOf, callOf } from '../http/caller.ts'
import { accept } from '../http/gotrue-errors.ts'
import { requireLivePrincipal } from '../http/principal.ts'
import { beginSignIn, CompanyLinkInput, type Place, SsoInput } from './begin.ts'
import { takeAnswer } from './callback.ts'
import type { CompanyDeps } from './company-deps.ts'
import { readFlowCookie, setFlowCookie } from './flow-cookie.ts'
import { beginLink } from './link.ts'
import { logOut } from './logout.ts'
import { unlink } from './unlink.ts'

const IdParams = v.object({ id: Uuid })
const KeyParams = v.object({ key: v.string() })
const LogoutBody = v.object({ logout_token: v.string() })

/** The page that completes a company sign-in. */
const PAGE = '/app/sso'

/** The routes of company sign-in: those of auth-js, and those of the identity provider. */
export function companyRoutes(app: FastifyInstance, auth: AuthDeps): void {
  const { config, limits, now } = auth
  const company: CompanyDeps = { ...auth, logError: (err, what) => app.log.warn({ err }, what) }

  app.post('/sso', async (request, reply) => {
    const at = now()
    return limits.companySignIn.limit(callerOf(request, config).ip, at, async () => {
      const place = placeOf(request, auth)
      if (!place) throw new AuthError('validation_failed', { message: 'Sign in on a page of this server.' })
      const { cookie, ...body } = await beginSignIn(company, accept(SsoInput, request.body), place, at)
      if (cookie !== null) setFlowCookie(reply, cookie, config.publicUrl)
      return body
    })
  })

  app.get('/callback/:key', async (request, reply) => {
    const url = new URL(request.url, config.publicUrl)
    const returned = { key: keyOf(request), url, flowCookie: readFlowCookie(request, config.publicUrl) }
    const fragment = await takeAnswer(company, returned, callOf(request, company)).catch((error: unknown) => {
      company.logError(error, 'a return from an identity provider failed')
      return 'error_code=unexpected_failure'
    })
    return reply.redirect(`${config.publicUrl}${PAGE}#${fragment}`, 303)
  })

  app.get('/user/identities/authorize', async (request, reply) => {
    const at = now()
    const principal = await requireLivePrincipal(auth, request, at)
    // Browsers send no Origin with a GET of the same origin. The bearer token shows that our page sent it.
    const place = request.headers.origin === undefined ? ownPage(request, auth) : placeOf(request, auth)
    if (!place) throw new AuthError('validation_failed', { message: 'Connect on a page of this server.' })
    const { cookie, url } = await beginLink(company, principal, accept(CompanyLinkInput, request.query), place, at)
    if (cookie !== null) setFlowCookie(reply, cookie, config.publicUrl)
    return { url }
  })

  app.delete('/user/identities/:id', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    const params = v.safeParse(IdParams, request.params)
    if (!params.success) throw new AuthError('identity_not_found')
    await unlink(auth, principal, params.output.id.toLowerCase(), callOf(request, company))
    return {}
  })

  app.register(async (scope) => logoutRoute(scope, company))
}

/** The route by which a provider ends sessions. It has the body and the errors of its specification. */
function logoutRoute(app: FastifyInstance, company: CompanyDeps): void {
  const { config, limits, now } = company
  const options = { parseAs: 'string' } as const
  app.addContentTypeParser('application/x-www-form-urlencoded', options, async (_request: unknown, text: string) =>
    Object.fromEntries(new URLSearchParams(text)),
  )

  app.post('/backchannel-logout/:key', async (request, reply) => {
    const at = now()
    try {
      await limits.companyLogout.limitGuess(callerOf(request, config).ip, at, async () => {
        const { logout_token } = accept(LogoutBody, request.body)
        if (!(await logOut(company, keyOf(request), logout_token, at))) throw new AuthError('validation_failed')
      })
    } catch (error) {
      if (!isClients(error)) throw error
      return reply.status(400).send({ error: 'invalid_request' })
    }
    return reply.status(200).send()
  })
}

function keyOf(request: FastifyRequest): string {
  return v.parse(KeyParams, request.params).key
}

/** Where a request comes from: one of our pages or a native app of this server. Null for anything else. */
function placeOf(request: FastifyRequest, auth: AuthDeps): Place | null {
  const { origin } = request.headers
  if (origin === new URL(auth.config.publicUrl).origin) return ownPage(request, auth)
  const app = nativeAppOf(origin, auth.config)
  return app && { app }
}

function ownPage(request: FastifyRequest, { config }: AuthDeps): Place {
  return { app: null, flowCookie: readFlowCookie(request, config.publicUrl) }
}
