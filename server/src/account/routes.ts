import {
  readMyData as dataEndpoint,
  deleteAccount as deleteEndpoint,
  prove as proveEndpoint,
  updateUsername as usernameEndpoint,
} from '@deeb/core/account/api'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { RouteDeps } from '../http/serve.ts'
import { deleteAccount } from './delete-account.ts'
import { prove } from './prove.ts'
import { readMyData } from './read-my-data.ts'
import { updateUsername } from './update-username.ts'

export function accountRoutes({ serve, db, auth }: RouteDeps & { auth: AuthDeps }): void {
  serve(usernameEndpoint, ({ actor, input }) => updateUsername(db, actor, input))
  serve(dataEndpoint, ({ actor }) => readMyData(db, actor))
  serve(proveEndpoint, ({ actor, input, now }) => prove(auth, actor, input, now))
  serve(deleteEndpoint, ({ actor, input }) => deleteAccount(auth, actor, input))
}
