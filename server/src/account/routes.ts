import {
  readMyData as dataEndpoint,
  deleteAccount as deleteEndpoint,
  readLink as linkEndpoint,
  prove as proveEndpoint,
  updateUsername as usernameEndpoint,
} from '@deeb/core/account/api'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { RouteDeps, ServeVisitors } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { deleteAccount } from './delete-account.ts'
import { prove } from './prove.ts'
import { readLink } from './read-link.ts'
import { readMyData } from './read-my-data.ts'
import { updateUsername } from './update-username.ts'

type AccountDeps = RouteDeps & { serveVisitors: ServeVisitors; auth: AuthDeps }

export function accountRoutes({ serve, serveVisitors, db, auth }: AccountDeps): void {
  serve(usernameEndpoint, ({ actor, input }) => updateUsername(db, actor, input))
  serve(dataEndpoint, ({ actor }) => readMyData(db, actor))
  serve(proveEndpoint, ({ actor, input, now }) => prove(auth, actor, input, now))
  serve(deleteEndpoint, ({ actor, input }) => deleteAccount(auth, actor, input))
  serveVisitors(linkEndpoint, LIMITS.readLink.rule, ({ input, now }) => readLink(db, input, now))
}
