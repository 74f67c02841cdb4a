import { type Db, statement } from '../db/db.ts'
import { createPoller, type Poller } from '../jobs/poller.ts'

const POLL_MS = 15_000
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

/** Sends one email. Rejects on failure, and the email is retried later. */
export type Send = (mail: OutgoingMail) => Promise<void>

/** Runs `send` after a delay that no requester can predict. */
export type Defer = (send: () => void) => void

/*
 * The outbox pattern with at-least-once delivery. A claim is a lease of two minutes, so no transaction is open during SMTP and no
 * other process sends the same row. After a crash the email is sent again, possibly twice.
 */
const claim = statement(
  'mail.claim',
  `with due as materialized (
    select id from auth.outbox where sent_at is null and next_try_at <= :now
    order by next_try_at limit 10 for update skip locked
  )
  update auth.outbox set attempts = attempts + 1, next_try_at = :now::timestamptz + interval '2 minutes'
  from due where outbox.id = due.id
  returning outbox.id, kind, recipient, subject, body, unsubscribe_url as "unsubscribeUrl", created_at as "createdAt"`,
)

const settle = statement(
  'mail.sent',
  "update auth.outbox set sent_at = :now, body = '', unsubscribe_url = null, last_error = null where id = :id",
)

/** Long enough for a mail server that fails on a Friday night. */
const GIVE_UP_AFTER = "interval '3 days'"

/* Exponential backoff: 15 seconds, doubled up to an hour. After three days it gives up and deletes the links. */
const postpone = statement(
  'mail.failed',
  `update auth.outbox set last_error = :error,
    next_try_at = case when is_over then 'infinity'
      else :now::timestamptz + least(interval '1 hour', interval '15 seconds' * 2 ^ least(attempts - 1, 8)) end,
    body = case when is_over then '' else body end,
    unsubscribe_url = case when is_over then null else unsubscribe_url end
  from (select id as failed, created_at <= :now::timestamptz - ${GIVE_UP_AFTER} as is_over from auth.outbox where id = :id) as age
  where id = failed`,
)

interface DeliveryDeps {
  db: Db
  send: Send
  now(): Date
  log(line: string): void
  defer: Defer
}

export interface Delivery extends Poller {
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
export function createDelivery(deps: DeliveryDeps): Delivery {
  let sent = 0
  async function send(mail: OutgoingMail): Promise<void> {
    await deps.send(mail)
    sent += 1
  }
  const poller = createPoller({
    work: () => deliverBatch({ ...deps, send }),
    everyMs: POLL_MS,
    onError: (error) => deps.log(`Mail: cannot read or update the outbox: ${error.message}`),
    defer: deps.defer,
  })
  return { ...poller, sentCount: () => sent }
}

/** Sends a batch of at most ten due emails. Returns whether there was any: a full batch may not be the last one. */
async function deliverBatch(deps: DeliveryDeps): Promise<boolean> {
  const batch = await deps.db.query<OutgoingMail>(claim, { now: deps.now() })
  await Promise.all(batch.map((mail) => deliver(deps, mail)))
  return batch.length > 0
}

async function deliver({ db, send, now, log }: DeliveryDeps, mail: OutgoingMail): Promise<void> {
  try {
    await send(mail)
  } catch (error) {
    // The error of a mail server may contain any text, and PostgreSQL cannot store a zero byte.
    const message = (error as Error).message.replaceAll('\0', '').slice(0, ERROR_CHARACTERS)
    // The error stays out of the log, because it may contain the recipient's address.
    log(`Mail: ${mail.kind} ${mail.id} could not be sent. Run \`npm run admin -- mail failed\` for the reason.`)
    await db.query(postpone, { id: mail.id, now: now(), error: message })
    return
  }
  await db.query(settle, { id: mail.id, now: now() })
}
