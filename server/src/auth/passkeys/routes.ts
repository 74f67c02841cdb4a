import { Uuid } from '@deeb/core/formats'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../http/auth-error.ts'
import { callerOf, callOf } from '../http/caller.ts'
import { accept } from '../http/gotrue-errors.ts'
import { requireLivePrincipal, requirePrincipal } from '../http/principal.ts'
import { sendSession } from '../http/send-session.ts'
import { listPasskeys } from './list.ts'
import { RegisterInput, register, registrationOptions } from './register.ts'
import { removePasskey } from './remove.ts'
import { RenameInput, renamePasskey } from './rename.ts'
import { PasskeySignInInput, signInByPasskey, signInOptions } from './sign-in.ts'

const Params = v.object({ id: Uuid })

/** The routes of passkeys, under /passkeys. Their input comes from auth-js and the browser's WebAuthn. */
export function passkeyRoutes(app: FastifyInstance, auth: AuthDeps): void {
  const { config, limits, now } = auth

  app.post('/passkeys/registration/options', async (request) =>
    registrationOptions(auth, await requireLivePrincipal(auth, request, now()), now()),
  )

  app.post('/passkeys/registration/verify', async (request) => {
    const principal = await requireLivePrincipal(auth, request, now())
    return register(auth, principal, accept(RegisterInput, request.body), callOf(request, auth))
  })

  app.post('/passkeys/authentication/options', async (request) => {
    const at = now()
    return limits.passkeyChallenge.limit(callerOf(request, config).ip, at, async () => signInOptions(auth, at))
  })

  app.post('/passkeys/authentication/verify', async (request, reply) => {
    const readInput = () => accept(PasskeySignInInput, request.body)
    return sendSession(reply, await signInByPasskey(auth, readInput, callOf(request, auth)), config)
  })

  app.get('/passkeys', async (request) => listPasskeys(auth, await requirePrincipal(auth, request, now()), now()))

  app.patch('/passkeys/:id', async (request) => {
    const principal = await requirePrincipal(auth, request, now())
    const id = passkeyId(request)
    return renamePasskey(auth, principal, id, accept(RenameInput, request.body), now())
  })

  app.delete('/passkeys/:id', async (request, reply) => {
    const principal = await requirePrincipal(auth, request, now())
    await removePasskey(auth, principal, passkeyId(request), callOf(request, auth))
    return reply.status(204).send()
  })
}

function passkeyId(request: FastifyRequest): string {
  const params = v.safeParse(Params, request.params)
  if (!params.success) throw new AuthError('webauthn_credential_not_found')
  return params.output.id.toLowerCase()
}
