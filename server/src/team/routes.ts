import {
  answerRequest as answerEndpoint,
  quitConnection as quitEndpoint,
  requestConnection as requestEndpoint,
  searchColleagues as searchEndpoint,
  readTeam as teamEndpoint,
} from '@deeb/core/team/api'
import type { RouteDeps } from '../http/serve.ts'
import { answerRequest } from './answer-request.ts'
import { quitConnection } from './quit-connection.ts'
import { readTeam } from './read-team.ts'
import { requestConnection } from './request-connection.ts'
import { searchColleagues } from './search-colleagues.ts'

export function teamRoutes({ serve, db }: RouteDeps): void {
  serve(teamEndpoint, ({ actor, now }) => readTeam(db, actor, now))
  serve(searchEndpoint, ({ actor, input }) => searchColleagues(db, actor, input))
  serve(requestEndpoint, ({ actor, input, now }) => requestConnection(db, actor, input, now))
  serve(answerEndpoint, ({ actor, input, now }) => answerRequest(db, actor, input, now))
  serve(quitEndpoint, ({ actor, input }) => quitConnection(db, actor, input))
}
