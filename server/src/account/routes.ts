import {
  readMyData as dataEndpoint,
  deleteAccount as deleteEndpoint,
  readLink as linkEndpoint,
  prove as proveEndpoint,
  readSignIn as signInEndpoint,
} from '@deeb/core/account/api'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { RouteDeps, ServeVisitors } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { deleteAccount } from './delete-account.ts'
import { createDownloads } from './downloads.ts'
import { prove } from './prove.ts'
import { readLink } from './read-link.ts'
import { readSignIn } from './read-sign-in.ts'

type AccountDeps = RouteDeps & { serveVisitors: ServeVisitors; auth: AuthDeps }

export function accountRoutes({ serve, serveVisitors, db, auth }: AccountDeps): void {
  const downloads = createDownloads(db)
  serve(dataEndpoint, LIMITS.download.rule, ({ actor }) => downloads.start(actor))
  serve(signInEndpoint, LIMITS.read.rule, ({ actor, now }) => readSignIn(db, actor, now))
  serve(proveEndpoint, LIMITS.write.rule, ({ actor, input, now }) => prove(auth, actor, input, now))
  serve(deleteEndpoint, LIMITS.write.rule, ({ actor, input, now }) => deleteAccount(auth, actor, input, now))
  serveVisitors(linkEndpoint, LIMITS.readLink.rule, ({ input, now }) => readLink(db, input, now))
}
