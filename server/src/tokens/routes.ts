import {
  createToken as createEndpoint,
  readTokens as readEndpoint,
  readOwnToken as readOwnEndpoint,
  revokeToken as revokeEndpoint,
} from '@deeb/core/tokens/api'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createToken } from './create-token.ts'
import { readOwnToken } from './read-own-token.ts'
import { readTokens } from './read-tokens.ts'
import { revokeToken } from './revoke-token.ts'

export function tokensRoutes({ serve, db, auth }: RouteDeps & { auth: AuthDeps }): void {
  serve(readEndpoint, LIMITS.read, ({ actor }) => readTokens(db, actor))
  serve(readOwnEndpoint, LIMITS.read, ({ actor }) => readOwnToken(actor))
  serve(createEndpoint, LIMITS.createToken, ({ actor, input, now }) => createToken(auth, actor, input, now))
  serve(revokeEndpoint, LIMITS.write, ({ actor, input, now }) => revokeToken(auth, actor, input, now))
}
