import {
  answerRequest as answerEndpoint,
  readPeople as peopleEndpoint,
  quitConnection as quitEndpoint,
  requestConnection as requestEndpoint,
  searchColleagues as searchEndpoint,
  takeBackRequest as takeBackEndpoint,
  readTeam as teamEndpoint,
} from '@deeb/core/team/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { answerRequest } from './answer-request.ts'
import { quitConnection } from './quit-connection.ts'
import { readPeople } from './read-people.ts'
import { readTeam } from './read-team.ts'
import { requestConnection } from './request-connection.ts'
import { searchColleagues } from './search-colleagues.ts'
import { takeBackRequest } from './take-back-request.ts'

export function teamRoutes({ serve, db, publish, withinLimit, circleSize }: RouteDeps): void {
  const teamChanged = (...userIds: string[]) => {
    for (const userId of userIds) publish({ kind: 'team', id: userId })
  }
  serve(teamEndpoint, LIMITS.read, ({ actor, now }) => readTeam(db, actor, circleSize, now))
  serve(peopleEndpoint, LIMITS.read, ({ actor }) => readPeople(db, actor))
  serve(searchEndpoint, LIMITS.search, ({ actor, input }) => searchColleagues(db, actor, input))
  serve(requestEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const pair = `${actor.userId} ${input.userId}`
    const answer = await withinLimit(LIMITS.requestToOne, pair, () => requestConnection(db, actor, input, now))
    teamChanged(actor.userId, input.userId)
    return answer
  })
  serve(takeBackEndpoint, LIMITS.write, async ({ actor, input }) => {
    const { takenBack, receiverId } = await takeBackRequest(db, actor, input)
    if (receiverId) teamChanged(actor.userId, receiverId)
    return { takenBack }
  })
  serve(answerEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const { status, requesterId } = await answerRequest(db, actor, input, now)
    // A decline is not published to the requester: it stays secret.
    teamChanged(actor.userId, ...(status === 'accepted' ? [requesterId] : []))
    return { status }
  })
  serve(quitEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const { quit, otherId } = await quitConnection(db, actor, input, now)
    if (otherId) teamChanged(actor.userId, otherId)
    return { quit }
  })
}
