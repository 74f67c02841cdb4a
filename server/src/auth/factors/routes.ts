import { Uuid } from '@deeb/core/formats'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../http/auth-error.ts'
import { callOf } from '../http/caller.ts'
import { accept } from '../http/gotrue-errors.ts'
import { requireLivePrincipal, requirePrincipal } from '../http/principal.ts'
import { challenge } from './challenge.ts'
import { EnrollInput, enroll } from './enroll.ts'
import { unenroll } from './unenroll.ts'
import { VerifyCodeInput, verifyCode } from './verify-code.ts'

const Params = v.object({ id: Uuid })

/** The routes of second factors, under /factors. They set no cookie: a new auth session keeps the binding of the old one. */
export function factorRoutes(app: FastifyInstance, auth: AuthDeps): void {
  const { now } = auth

  app.post('/factors', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    return enroll(auth, principal, accept(EnrollInput, request.body), now())
  })

  app.post('/factors/:id/challenge', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    return challenge(auth, principal, factorId(request), callOf(request, auth))
  })

  app.post('/factors/:id/verify', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    const input = accept(VerifyCodeInput, request.body)
    const { body } = await verifyCode(auth, principal, factorId(request), input, callOf(request, auth))
    return body
  })

  app.delete('/factors/:id', async (request) => {
    const principal = await requirePrincipal(auth, request, now())
    return unenroll(auth, principal, factorId(request), callOf(request, auth))
  })
}

function factorId(request: FastifyRequest): string {
  const params = v.safeParse(Params, request.params)
  if (!params.success) throw new AuthError('mfa_factor_not_found')
  return params.output.id.toLowerCase()
}
