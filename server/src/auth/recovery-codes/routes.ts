import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../auth-deps.ts'
import { callOf } from '../http/caller.ts'
import { accept } from '../http/gotrue-errors.ts'
import { requireLivePrincipal, requirePrincipal } from '../http/principal.ts'
import { GenerateInput, generateCodes, regenerateCodes } from './generate.ts'
import { recoveryCodesStatus } from './status.ts'
import { unenrollCodes } from './unenroll.ts'
import { VerifyRecoveryCodeInput, verifyRecoveryCode } from './verify.ts'

/** The routes of recovery codes, under /factors/recovery-codes. They set no cookie: a new auth session keeps the binding. */
export function recoveryCodeRoutes(app: FastifyInstance, auth: AuthDeps): void {
  const { now } = auth

  app.get('/factors/recovery-codes', async (request) =>
    recoveryCodesStatus(auth, await requirePrincipal(auth, request, now()), now()),
  )

  app.post('/factors/recovery-codes', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    return generateCodes(auth, principal, accept(GenerateInput, request.body), callOf(request, auth))
  })

  app.post('/factors/recovery-codes/regenerate', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    return regenerateCodes(auth, principal, callOf(request, auth))
  })

  app.post('/factors/recovery-codes/verify', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    const input = accept(VerifyRecoveryCodeInput, request.body)
    return (await verifyRecoveryCode(auth, principal, input, callOf(request, auth))).body
  })

  app.delete('/factors/recovery-codes', async (request) => {
    const principal = await requirePrincipal(auth, request, now())
    return unenrollCodes(auth, principal, callOf(request, auth))
  })
}
