import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { statement } from '../db/db.ts'
import type { AuthDeps } from './auth-deps.ts'
import { ExchangeInput, exchange } from './company/exchange.ts'
import { companyRoutes } from './company/routes.ts'
import { factorRoutes } from './factors/routes.ts'
import { AuthError } from './http/auth-error.ts'
import { callOf } from './http/caller.ts'
import { accept, goTrueErrors } from './http/gotrue-errors.ts'
import { findLivePrincipal, requirePrincipal } from './http/principal.ts'
import { sendSession } from './http/send-session.ts'
import { verify } from './links/verify.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { RecoverInput, recover } from './recovery/recover.ts'
import { recoveryCodeRoutes } from './recovery-codes/routes.ts'
import { settings } from './settings.ts'
import { RefreshInput, refresh } from './sign-in/refresh.ts'
import { SignInInput, signIn } from './sign-in/sign-in.ts'
import { SignOutInput, signOut } from './sign-in/sign-out.ts'
import { ResendInput, resend } from './sign-up/resend.ts'
import { SignUpInput, signUp } from './sign-up/sign-up.ts'
import { currentUser } from './user/current-user.ts'
import { UpdateUserInput, updateUser } from './user/update-user.ts'

const JWKS_SECONDS = 600

const ping = statement('auth.ping', 'select 1')

export const GrantInput = v.object({ grant_type: v.picklist(['password', 'refresh_token', 'pkce', 'web3']) })

const OFF = {
  '/otp': 'otp_disabled',
  '/magiclink': 'otp_disabled',
  '/authorize': 'validation_failed',
} as const

/**
 * The routes of the GoTrue-compatible account service for @supabase/auth-js. Register it as a plugin with the prefix /auth/v1: its
 * error handler, headers and body parsers apply only there.
 */
export async function authRoutes(app: FastifyInstance, auth: AuthDeps): Promise<void> {
  goTrueErrors(app)
  signInRoutes(app, auth)
  userRoutes(app, auth)
  factorRoutes(app, auth)
  recoveryCodeRoutes(app, auth)
  passkeyRoutes(app, auth)
  companyRoutes(app, auth)
  publicRoutes(app, auth)
  offRoutes(app)
}

/** Routes that need no auth session. */
function signInRoutes(app: FastifyInstance, auth: AuthDeps): void {
  const { config, limits, now } = auth

  // The limit comes before parsing, so that invalid requests count too.
  app.post('/signup', async (request, reply) => {
    const call = callOf(request, auth)
    const answer = await limits.signUp.limit(call.caller.ip, call.now, async () =>
      signUp(auth, accept(SignUpInput, request.body), call),
    )
    return sendSession(reply, answer, config)
  })

  app.post('/verify', async (request, reply) => {
    const at = now()
    const opener = await findLivePrincipal(auth, request, at)
    return sendSession(reply, await verify(auth, request.body, opener, callOf(request, auth)), config)
  })

  app.post('/recover', async (request) => {
    const call = callOf(request, auth)
    return limits.requestEmail.limit(call.caller.ip, call.now, async () =>
      recover(auth, accept(RecoverInput, request.body), call),
    )
  })

  app.post('/resend', async (request) => {
    const call = callOf(request, auth)
    return limits.requestEmail.limit(call.caller.ip, call.now, async () =>
      resend(auth, accept(ResendInput, request.body), call),
    )
  })

  app.post('/token', async (request, reply) => sendSession(reply, await tokens(auth, request), config))
}

/** Routes that need an auth session. */
function userRoutes(app: FastifyInstance, auth: AuthDeps): void {
  const { now } = auth

  app.post('/logout', async (request, reply) => {
    const principal = await requirePrincipal(auth, request, now())
    await signOut(auth, principal, accept(SignOutInput, request.query), callOf(request, auth))
    return reply.status(204).send()
  })

  app.get('/user', async (request) => currentUser(auth, await requirePrincipal(auth, request, now()), now()))

  app.put('/user', async (request) => {
    const principal = await requirePrincipal(auth, request, now())
    return updateUser(auth, principal, accept(UpdateUserInput, request.body), callOf(request, auth))
  })
}

function publicRoutes(app: FastifyInstance, auth: AuthDeps): void {
  const { db, keys } = auth

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${JWKS_SECONDS}`)
    return keys.jwks
  })

  // Without this route, an unknown path would be served as a file of the web.
  app.get('/*', async () => {
    throw new AuthError('not_found')
  })

  app.get('/settings', async () => settings(auth))

  app.get('/health', async () => {
    await db.query(ping)
    return { name: 'deeb', description: 'Accounts of deeb' }
  })
}

/** Features of auth-js that this service does not support, with the error code that auth-js expects. */
function offRoutes(app: FastifyInstance): void {
  for (const [url, code] of Object.entries(OFF)) {
    const handler = async () => {
      throw new AuthError(code)
    }
    app.route({ method: ['GET', 'POST', 'PUT', 'DELETE'], url, handler })
  }
}

function tokens(auth: AuthDeps, request: FastifyRequest) {
  const { grant_type } = accept(GrantInput, request.query)
  if (grant_type === 'web3') throw new AuthError('web3_provider_disabled')
  const call = callOf(request, auth)
  if (grant_type === 'pkce') return exchange(auth, () => accept(ExchangeInput, request.body), call)
  if (grant_type === 'password') return signIn(auth, accept(SignInInput, request.body), call)
  return refresh(auth, accept(RefreshInput, request.body), call)
}
