import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { statement } from '../db/db.ts'
import type { AuthDeps } from './auth-deps.ts'
import { callerOf } from './door/caller.ts'
import { accept, speakDialect } from './door/dialect.ts'
import { requireBearer } from './door/require-bearer.ts'
import { ConfirmInput, confirm } from './flows/confirm.ts'
import { currentUser } from './flows/current-user.ts'
import { RefreshInput, refresh } from './flows/refresh.ts'
import { ResendInput, resend } from './flows/resend.ts'
import { SignInInput, signIn } from './flows/sign-in.ts'
import { SignOutInput, signOut } from './flows/sign-out.ts'
import { SignUpInput, signUp } from './flows/sign-up.ts'
import { settings } from './settings.ts'

const JWKS_SECONDS = 600

const ping = statement('auth.ping', 'select 1')

const Grant = z.object({ grant_type: z.enum(['password', 'refresh_token']) })

/**
 * The account service, as @supabase/auth-js asks for it. Register it with the prefix /auth/v1: errors, unknown paths,
 * headers and body parsing are its own and stay inside.
 */
export async function authRoutes(app: FastifyInstance, auth: AuthDeps): Promise<void> {
  const { config, db, keys, now } = auth
  speakDialect(app, config.publicUrl)

  app.post('/signup', async (request) => signUp(auth, accept(SignUpInput, request.body), callerOf(request), now()))

  app.post('/verify', async (request) => confirm(auth, accept(ConfirmInput, request.body), callerOf(request), now()))

  app.post('/resend', async (request) => resend(auth, accept(ResendInput, request.body), callerOf(request), now()))

  app.post('/token', async (request) => tokens(auth, request))

  app.post('/logout', async (request, reply) => {
    const bearer = await requireBearer(auth, request, now())
    await signOut(auth, bearer, accept(SignOutInput, request.query), callerOf(request), now())
    return reply.status(204).send()
  })

  app.get('/user', async (request) => currentUser(auth, await requireBearer(auth, request, now()), now()))

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${JWKS_SECONDS}`)
    return keys.jwks
  })

  app.get('/settings', async () => settings(config))

  app.get('/health', async () => {
    await db.query(ping)
    return { name: 'deeb', description: 'Accounts of deeb' }
  })
}

function tokens(auth: AuthDeps, request: FastifyRequest) {
  const { grant_type } = accept(Grant, request.query)
  const caller = callerOf(request)
  const now = auth.now()
  if (grant_type === 'password') return signIn(auth, accept(SignInInput, request.body), caller, now)
  return refresh(auth, accept(RefreshInput, request.body), caller, now)
}
