import { type Db, statement } from '../db/db.ts'

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

export interface Delivery {
  /** Sends due emails now and polls about every 15 seconds. */
  start(): void
  /** Stops polling and waits for the emails that are being sent. Other due emails are sent after the next start. */
  stop(): Promise<void>
  /** Sends due emails soon. Call it after a commit that may have written to the outbox. Fire-and-forget; never throws. */
  kick(): void
  /** Resolves when no email is being sent. */
  idle(): Promise<void>
}

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

/* Exponential backoff: 15 seconds, doubled up to an hour. After 12 attempts it gives up and deletes the links. */
const postpone = statement(
  'mail.failed',
  `update auth.outbox set last_error = :error,
    next_try_at = case when attempts >= 12 then 'infinity'
      else :now::timestamptz + least(interval '1 hour', interval '15 seconds' * 2 ^ (attempts - 1)) end,
    body = case when attempts >= 12 then '' else body end,
    unsubscribe_url = case when attempts >= 12 then null else unsubscribe_url end
  where id = :id`,
)

interface DeliveryDeps {
  db: Db
  send: Send
  now(): Date
  log(line: string): void
  defer: Defer
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  let timer: NodeJS.Timeout | undefined
  let isDeferred = false
  let running: Promise<void> | null = null
  let again = false
  let isStopping = false

  async function deliverAll(): Promise<void> {
    while (again && !isStopping) {
      again = false
      // A full batch may not be the last one.
      if (await deliverBatch(deps)) again = true
    }
  }

  function sendDue(): void {
    if (isStopping) return
    again = true
    running ??= deliverAll()
      .catch((error: Error) => deps.log(`Mail: cannot read or update the outbox: ${error.message}`))
      .finally(() => {
        running = null
        if (again) sendDue()
      })
  }

  /** Coalesces kicks: one pending delay at a time. Otherwise many requests would make the next delivery predictable. */
  function kick(): void {
    if (isDeferred) return
    isDeferred = true
    deps.defer(() => {
      isDeferred = false
      sendDue()
    })
  }

  async function idle(): Promise<void> {
    while (running) await running
  }

  return {
    kick,
    idle,
    start() {
      sendDue()
      // The poll is delayed too, or an attacker who knows its rhythm could time requests (timing attack).
      timer = setInterval(kick, POLL_MS)
      timer.unref()
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      await idle()
    },
  }
}

/** Sends a batch of at most ten due emails. Returns whether there was any. */
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
