import { updateUsername as usernameEndpoint } from '@deeb/core/account/api'
import type { RouteDeps } from '../http/serve.ts'
import { updateUsername } from './update-username.ts'

export function accountRoutes({ serve, db }: RouteDeps): void {
  serve(usernameEndpoint, ({ actor, input }) => updateUsername(db, actor, input))
}
