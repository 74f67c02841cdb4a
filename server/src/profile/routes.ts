import { updateUsername as usernameEndpoint } from '@deeb/core/account/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { updateUsername } from './update-username.ts'

export function profileRoutes({ serve, db }: RouteDeps): void {
  serve(usernameEndpoint, LIMITS.write.rule, ({ actor, input }) => updateUsername(db, actor, input))
}
