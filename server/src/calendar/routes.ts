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
import { createIpBuckets } from '../limits/ip-buckets.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { Refusal } from '../refusal.ts'
import { createCalendars } from './calendar.ts'
import { hashOfFile } from './calendar-token.ts'
import { createCalendarLink } from './create-calendar-link.ts'
import { readCalendarLink } from './read-calendar-link.ts'
import { removeCalendarLink } from './remove-calendar-link.ts'

type CalendarDeps = Pick<RouteDeps, 'serve' | 'db'> & { config: AuthDeps['config'] }

export function calendarRoutes({ serve, db, config }: CalendarDeps): void {
  serve(readEndpoint, LIMITS.read.rule, ({ actor }) => readCalendarLink(db, actor))
  serve(createEndpoint, LIMITS.newCalendarLink.rule, ({ actor, now }) => createCalendarLink({ db, config }, actor, now))
  serve(removeEndpoint, LIMITS.write.rule, ({ actor }) => removeCalendarLink(db, actor))
}

/**
 * Serves calendars to anyone with a link. Unknown links are limited per IP network, before the database is asked. Known ones are not:
 * the calendar services of many people share the addresses of their cloud.
 */
export function calendarFiles(
  app: FastifyInstance,
  { db, config, limitStore, now }: Pick<AuthDeps, 'db' | 'config' | 'limitStore' | 'now'>,
): void {
  const calendars = createCalendars(db)
  const ipBuckets = createIpBuckets(limitStore)
  const unknown = LIMITS.unknownCalendar.rule

  app.get<{ Params: { file: string } }>(`${CALENDAR_PATH}/:file`, async (request, reply) => {
    // A copy in a shared cache would outlive the link, and a search engine must not list it.
    reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    const tokenHash = hashOfFile(request.params.file)
    if (tokenHash === null) throw new Refusal('not_found')
    const { ip } = callerOf(request, config)
    const isLimited = !calendars.isKnown(tokenHash)
    if (isLimited) refuseAfter(await ipBuckets.take(unknown, ip, now()))
    const link = await calendars.find(tokenHash, now()).catch((error: unknown) => {
      if (isLimited) ipBuckets.refund(unknown, ip)
      throw error
    })
    if (link === null) throw new Refusal('not_found')
    if (isLimited) ipBuckets.refund(unknown, ip)
    refuseAfter(await limitStore.take(LIMITS.readCalendar.rule, link.userId, now()))
    const { etag, text } = await calendars.read(tokenHash, link, request.headers['if-none-match'], now())
    reply.header('etag', etag)
    if (text === null) return reply.status(304).send()
    // Its own name would be the secret.
    reply.header('content-disposition', 'attachment; filename="deeb.ics"')
    return reply.type('text/calendar; charset=utf-8').send(text)
  })
}

function refuseAfter(waitSeconds: number): void {
  if (waitSeconds > 0) throw new Refusal('too_many_attempts', undefined, waitSeconds)
}
