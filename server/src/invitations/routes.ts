import { createInvitation as createEndpoint, readInvitation as readEndpoint } from '@deeb/core/invitations/api'
import type { Keys } from '../config/keys.ts'
import type { RouteDeps, ServeVisitors } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createInvitation } from './create-invitation.ts'
import { readInvitation } from './read-invitation.ts'

type InvitationsDeps = RouteDeps & { serveVisitors: ServeVisitors; keys: Pick<Keys, 'invitationKeys'> }

export function invitationsRoutes({ serve, serveVisitors, db, circleSize, keys }: InvitationsDeps): void {
  serve(createEndpoint, LIMITS.write, ({ actor, now }) => createInvitation(db, keys, actor, now))
  serveVisitors(readEndpoint, LIMITS.readInvitation, ({ input, now }) =>
    readInvitation(db, keys, input, circleSize, now),
  )
}
