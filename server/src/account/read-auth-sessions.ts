import { type readAuthSessions as endpoint, SIGN_IN_METHODS } from '@deeb/core/account/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { BROWSER, IS_USABLE } from '../auth/auth-session/auth-session.ts'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'

const MAX_BROWSERS = 100

/* Shows a browser with the principal's auth session, else with its last used one. */
const read = statement(
  'account.read-auth-sessions',
  `with browsers as (
    select distinct on (browser) id, binding is not null as "isBrowser", user_agent as agent, ip as address, amr,
      created_at as "signedInAt", max(refreshed_at) over same as "lastUsedAt", bool_or(id = :sessionId) over same as "isThis"
    from (select *, ${BROWSER} as browser from auth.sessions where user_id = :userId and ${IS_USABLE}) as usable
    window same as (partition by browser)
    order by browser, id = :sessionId desc, refreshed_at desc, id
  )
  select * from browsers order by "isThis" desc, "lastUsedAt" desc, id limit ${MAX_BROWSERS}`,
)

type Entry = OutputOf<typeof endpoint>['sessions'][number]

interface Row extends Omit<Entry, 'method' | 'signedInAt' | 'lastUsedAt'> {
  /** Newest first. */
  amr: { method: string }[]
  signedInAt: Date
  lastUsedAt: Date
}

/** Reads where the user is signed in: one entry per browser, and one per auth session that is not bound to a browser. */
export async function readAuthSessions(
  db: Db,
  { userId, sessionId }: SignedInActor,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const rows = await db.query<Row>(read, { userId, sessionId, now })
  const sessions = rows.map(({ amr, signedInAt, lastUsedAt, ...row }) => ({
    ...row,
    method: methodOf(amr),
    signedInAt: signedInAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
  }))
  return { sessions }
}

/** The method that opened the auth session. Codes of a second factor only raised its level. */
function methodOf(amr: Row['amr']): Entry['method'] {
  const methods = amr.map(({ method }) => SIGN_IN_METHODS.find((known) => known === method))
  return methods.findLast((method) => method !== undefined) ?? 'password'
}
