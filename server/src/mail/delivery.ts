import { type Db, statement } from '../db/db.ts'
import type { Job } from '../jobs/job.ts'
import { createOutbox, leasedFor } from '../jobs/outbox.ts'

const POLL_MS = 15_000
const MAX_IN_FLIGHT = 10
const BACKOFF = { firstSeconds: 15, factor: 2 }
/** Long enough for a mail server that fails on a Friday night. Then the email is given up, and its links are deleted. */
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000
const ERROR_CHARACTERS = 500

/** A due row of the outbox. */
export interface OutgoingMail {
  id: string
  kind: string
  recipient: string
  subject: string
  body: string
  /** Stops emails of this kind; null if the recipient cannot stop them. */
  unsubscribeUrl: string | null
  createdAt: Date
}

type DueMail = OutgoingMail & { attempts: number }

/** Sends one email. Rejects on failure, and the email is retried later. */
export type Send = (mail: OutgoingMail) => Promise<void>

/** Runs `send` after a delay that no requester can predict. */
export type Defer = (send: () => void) => void

const claim = statement(
  'mail.claim',
  `with due as materialized (
    select id from auth.outbox where sent_at is null and next_try_at <= :now and id <> all(:inFlight::uuid[])
    order by next_try_at limit :room for update skip locked
  )
  update auth.outbox set ${leasedFor('2 minutes')}
  from due where outbox.id = due.id
  returning outbox.id, kind, recipient, subject, body, unsubscribe_url as "unsubscribeUrl", created_at as "createdAt",
    attempts`,
)

const settle = statement(
  'mail.sent',
  "update auth.outbox set sent_at = :now, body = '', unsubscribe_url = null, last_error = null where id = :id",
)

const postpone = statement(
  'mail.failed',
  `update auth.outbox set last_error = :error, next_try_at = coalesce(:nextTryAt::timestamptz, 'infinity'),
    body = case when :nextTryAt::timestamptz is null then '' else body end,
    unsubscribe_url = case when :nextTryAt::timestamptz is null then null else unsubscribe_url end
  where id = :id`,
)

interface DeliveryDeps {
  db: Db
  send: Send
  now(): Date
  log(line: string): void
  defer: Defer
}

export interface Delivery extends Job {
  /** How many emails this process has sent. */
  sentCount(): number
}

const retry = statement(
  'mail.retry',
  `update auth.outbox set next_try_at = :now
  where sent_at is null and last_error is not null and next_try_at < 'infinity' returning id`,
)

/** Makes the emails due that could not be sent and are not given up. Returns their number. */
export async function retryEmails(db: Db, now: Date): Promise<number> {
  return (await db.query(retry, { now })).length
}

/** Sends the due emails of the outbox. */
export function createDelivery({ db, send, now, log, defer }: DeliveryDeps): Delivery {
  let sent = 0
  const outbox = createOutbox<DueMail, Attempt>({
    name: 'sending emails',
    everyMs: POLL_MS,
    max: MAX_IN_FLIGHT,
    backoff: BACKOFF,
    claim: (room, inFlight) => db.query(claim, { now: now(), room, inFlight: inFlight.map(({ id }) => id) }),
    async deliver(mail) {
      const error = await send(mail).then(() => null, messageOf)
      if (error === null) sent += 1
      // The error stays out of the log, because it may contain the recipient's address.
      else log(`Mail: ${mail.kind} ${mail.id} could not be sent. Run \`npm run admin -- mail failed\` for the reason.`)
      return { error, retryAfterSeconds: error === null ? null : 0 }
    },
    isLast: ({ createdAt }) => now().getTime() - createdAt.getTime() >= GIVE_UP_AFTER_MS,
    settle: ({ id }) => db.query(settle, { id, now: now() }),
    postpone: ({ id }, { error }, nextTryAt) => db.query(postpone, { id, error, nextTryAt }),
    onError: (error) => log(`Mail: cannot read or update the outbox: ${error.message}`),
    now,
    defer,
  })
  return { ...outbox, sentCount: () => sent }
}

interface Attempt {
  error: string | null
  retryAfterSeconds: number | null
}

/** The error of a mail server may contain any text, and PostgreSQL cannot store a zero byte. */
function messageOf({ message }: Error): string {
  return message.replaceAll('\0', '').slice(0, ERROR_CHARACTERS)
}
