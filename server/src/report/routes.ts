import {
  COMPANY_WEEKS_PATH,
  readCompany as companyEndpoint,
  setInReport as inReportEndpoint,
} from '@deeb/core/report/api'
import type { FastifyInstance } from 'fastify'
import { type RouteDeps, type ServeDeps, signedInWithin } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { readCompany } from './read-company.ts'
import { readWeeks } from './read-weeks.ts'
import { setInReport } from './set-in-report.ts'

const WEEKS_SCHEMA = {
  summary: 'Read every counted week of the company of the caller, as CSV.',
  security: [{ bearer: [] }],
  response: { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } },
}

export function reportRoutes(app: FastifyInstance, { serve, db, report, ...deps }: RouteDeps & ServeDeps): void {
  serve(companyEndpoint, LIMITS.read, ({ actor, now }) => readCompany(db, actor, report, now))
  serve(inReportEndpoint, LIMITS.write, ({ actor, input }) => setInReport(db, actor, input))
  const { hooks, actorOf } = signedInWithin(LIMITS.read, deps)
  app.get(COMPANY_WEEKS_PATH, { schema: WEEKS_SCHEMA, exposeHeadRoute: false, ...hooks }, async (request, reply) => {
    const weeks = await readWeeks(db, actorOf(request), report)
    reply.type('text/csv; charset=utf-8')
    reply.headers({ 'cache-control': 'no-store', 'content-disposition': 'attachment; filename="deeb-weeks.csv"' })
    return weeks
  })
}
