import {
  readMyData as dataEndpoint,
  deleteAccount as deleteEndpoint,
  endAuthSession as endEndpoint,
  endOtherAuthSessions as endOthersEndpoint,
  readLink as linkEndpoint,
  prove as proveEndpoint,
  readAuthSessions as sessionsEndpoint,
  readSignIn as signInEndpoint,
} from '@deeb/core/account/api'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { RouteDeps, ServeVisitors } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { deleteAccount } from './delete-account.ts'
import { createDownloads } from './downloads.ts'
import { endAuthSession } from './end-auth-session.ts'
import { endOtherAuthSessions } from './end-other-auth-sessions.ts'
import { prove } from './prove.ts'
import { readAuthSessions } from './read-auth-sessions.ts'
import { readLink } from './read-link.ts'
import { readSignIn } from './read-sign-in.ts'

type AccountDeps = RouteDeps & { serveVisitors: ServeVisitors; auth: AuthDeps }

export function accountRoutes({ serve, serveVisitors, db, auth }: AccountDeps): void {
  const downloads = createDownloads(db)
  serve(dataEndpoint, LIMITS.download.rule, ({ actor }) => downloads.start(actor))
  serve(signInEndpoint, LIMITS.read.rule, ({ actor, now }) => readSignIn(db, actor, now))
  serve(proveEndpoint, LIMITS.write.rule, ({ actor, input, now }) => prove(auth, actor, input, now))
  serve(sessionsEndpoint, LIMITS.read.rule, ({ actor, now }) => readAuthSessions(db, actor, now))
  serve(endEndpoint, LIMITS.write.rule, ({ actor, input, now }) => endAuthSession(auth, actor, input, now))
  serve(endOthersEndpoint, LIMITS.write.rule, ({ actor, now }) => endOtherAuthSessions(auth, actor, now))
  serve(deleteEndpoint, LIMITS.write.rule, ({ actor, input, now }) => deleteAccount(auth, actor, input, now))
  serveVisitors(linkEndpoint, LIMITS.readLink.rule, ({ input, now }) => readLink(db, input, now))
}
