import {
  createCalendarLink as createEndpoint,
  readCalendarLink as readEndpoint,
  removeCalendarLink as removeEndpoint,
} from '@deeb/core/calendar/api'
import { CALENDAR_PATH } from '@deeb/core/paths'
import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { callerOf } from '../auth/http/caller.ts'
import type { RouteDeps } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createSecretLimits } from '../limits/secret-limits.ts'
import { findCalendarLink, readCalendar } from './calendar.ts'
import { hashOfFile } from './calendar-token.ts'
import { createCalendarLink } from './create-calendar-link.ts'
import { readCalendarLink } from './read-calendar-link.ts'
import { removeCalendarLink } from './remove-calendar-link.ts'

type CalendarDeps = Pick<RouteDeps, 'serve' | 'db'> & { config: AuthDeps['config'] }

export function calendarRoutes({ serve, db, config }: CalendarDeps): void {
  serve(readEndpoint, LIMITS.read, ({ actor }) => readCalendarLink(db, actor))
  serve(createEndpoint, LIMITS.newCalendarLink, ({ actor, now }) => createCalendarLink({ db, config }, actor, now))
  serve(removeEndpoint, LIMITS.write, ({ actor }) => removeCalendarLink(db, actor))
}

/**
 * Serves calendars to anyone with a link. The calendar services of many people share the addresses of their cloud, so a link that has
 * worked has a limit of its own.
 */
export function calendarFiles(
  app: FastifyInstance,
  { db, config, limitStore, now }: Pick<AuthDeps, 'db' | 'config' | 'limitStore' | 'now'>,
): void {
  const limits = createSecretLimits(limitStore, {
    known: LIMITS.readCalendar,
    unknown: LIMITS.unknownCalendar,
  })

  app.get<{ Params: { file: string } }>(`${CALENDAR_PATH}/:file`, async (request, reply) => {
    // A copy in a shared cache would outlive the link, and a search engine must not list it.
    reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    const tokenHash = hashOfFile(request.params.file)
    if (tokenHash === null) throw new Refusal('not_found')
    const { ip } = callerOf(request, config)
    const at = now()
    const link = await limits.find(tokenHash, ip, at, () => findCalendarLink(db, tokenHash, at))
    if (link === null) throw new Refusal('not_found')
    const { etag, text } = await readCalendar(db, link, request.headers['if-none-match'], at)
    reply.header('etag', etag)
    if (text === null) return reply.status(304).send()
    // Its own name would be the secret.
    reply.header('content-disposition', 'attachment; filename="deeb.ics"')
    return reply.type('text/calendar; charset=utf-8').send(text)
  })
}
