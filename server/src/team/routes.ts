import {
  answerRequest as answerEndpoint,
  quitConnection as quitEndpoint,
  requestConnection as requestEndpoint,
  searchColleagues as searchEndpoint,
  readTeam as teamEndpoint,
} from '@deeb/core/team/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { answerRequest } from './answer-request.ts'
import { quitConnection } from './quit-connection.ts'
import { readTeam } from './read-team.ts'
import { requestConnection } from './request-connection.ts'
import { searchColleagues } from './search-colleagues.ts'

export function teamRoutes({ serve, db, publish }: RouteDeps): void {
  const teamChanged = (...userIds: string[]) => {
    for (const userId of userIds) publish({ kind: 'team', userId })
  }
  serve(teamEndpoint, LIMITS.read.rule, ({ actor, now }) => readTeam(db, actor, now))
  serve(searchEndpoint, LIMITS.search.rule, ({ actor, input }) => searchColleagues(db, actor, input))
  serve(requestEndpoint, LIMITS.write.rule, async ({ actor, input, now }) => {
    const answer = await requestConnection(db, actor, input, now)
    teamChanged(actor.userId, input.userId)
    return answer
  })
  serve(answerEndpoint, LIMITS.write.rule, async ({ actor, input, now }) => {
    const { status, requesterId } = await answerRequest(db, actor, input, now)
    // A decline is not published to the requester: it stays secret.
    teamChanged(actor.userId, ...(status === 'accepted' ? [requesterId] : []))
    return { status }
  })
  serve(quitEndpoint, LIMITS.write.rule, async ({ actor, input }) => {
    const { quit, otherId } = await quitConnection(db, actor, input)
    if (otherId) teamChanged(actor.userId, otherId)
    return { quit }
  })
}
