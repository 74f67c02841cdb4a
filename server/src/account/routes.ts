import {
  readMyData as dataEndpoint,
  deleteAccount as deleteEndpoint,
  endAuthSession as endEndpoint,
  endOtherAuthSessions as endOthersEndpoint,
  updateLanguage as languageEndpoint,
  readLink as linkEndpoint,
  prove as proveEndpoint,
  updateRequestEmails as requestEmailsEndpoint,
  readAuthSessions as sessionsEndpoint,
  readSignIn as signInEndpoint,
  updateUsername as usernameEndpoint,
} from '@deeb/core/account/api'
import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { type RouteDeps, type ServeDeps, type ServeVisitors, signedInWithin } from '../http/serve.ts'
import { languageOf } from '../lib/language.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { deleteAccount } from './delete-account.ts'
import { createDownloads } from './downloads.ts'
import { endAuthSession } from './end-auth-session.ts'
import { endOtherAuthSessions } from './end-other-auth-sessions.ts'
import { prove } from './prove.ts'
import { readAuthSessions } from './read-auth-sessions.ts'
import { readLink } from './read-link.ts'
import { readMyData } from './read-my-data.ts'
import { readSignIn } from './read-sign-in.ts'
import { SESSION_FILES } from './session-files.ts'
import { updateLanguage } from './update-language.ts'
import { updateRequestEmails } from './update-request-emails.ts'
import { updateUsername } from './update-username.ts'

type AccountDeps = RouteDeps & ServeDeps & { serveVisitors: ServeVisitors; auth: AuthDeps }

export function accountRoutes(app: FastifyInstance, { serve, serveVisitors, db, auth, ...deps }: AccountDeps): void {
  const downloads = createDownloads()
  serve(usernameEndpoint, LIMITS.write, ({ actor, input }) => updateUsername(db, actor, input))
  serve(languageEndpoint, LIMITS.write, ({ actor, input }) => updateLanguage(db, actor, input))
  serve(requestEmailsEndpoint, LIMITS.write, ({ actor, input }) => updateRequestEmails(db, actor, input))
  serve(dataEndpoint, LIMITS.download, ({ actor }) => downloads.start(actor, readMyData(db, actor)))
  serve(signInEndpoint, LIMITS.read, ({ actor, now }) => readSignIn(db, actor, now))
  serve(proveEndpoint, LIMITS.write, ({ actor, input, now }) => prove(auth, actor, input, now))
  serve(sessionsEndpoint, LIMITS.read, ({ actor, now }) => readAuthSessions(db, actor, now))
  serve(endEndpoint, LIMITS.write, ({ actor, input, now }) => endAuthSession(auth, actor, input, now))
  serve(endOthersEndpoint, LIMITS.write, ({ actor, now }) => endOtherAuthSessions(auth, actor, now))
  serve(deleteEndpoint, LIMITS.write, ({ actor, input, now }) => deleteAccount(auth, actor, input, now))
  serveVisitors(linkEndpoint, LIMITS.readLink, ({ input, now }) => readLink(db, input, now))

  for (const { path, summary, type, name, piecesOf } of SESSION_FILES) {
    const { hooks, actorOf } = signedInWithin(LIMITS.download, deps)
    const response = { 200: { content: { [type]: { schema: { type: 'string' } } } } }
    const schema = { summary, security: [{ bearer: [] }], response }
    app.get(path, { schema, exposeHeadRoute: false, ...hooks }, async (request, reply) => {
      const actor = actorOf(request)
      const file = await downloads.start(actor, piecesOf(db, actor, languageOf(request)))
      reply.type(`${type}; charset=utf-8`)
      reply.headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
      return reply.send(file)
    })
  }
}
