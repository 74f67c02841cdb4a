import { type Db, statement } from '../db/db.ts'

const POLL_MS = 15_000
const ERROR_CHARACTERS = 500

/** A row of the outbox on its way out. */
export interface OutgoingMail {
  id: string
  kind: string
  recipient: string
  subject: string
  body: string
  createdAt: Date
}

/** Hands one mail over. Rejects if that failed and should be tried again. */
export type Send = (mail: OutgoingMail) => Promise<void>

/** Runs `send` later, at a time that no requester can predict. */
export type Defer = (send: () => void) => void

export interface Delivery {
  /** Looks for due mail now and about every 15 seconds. */
  start(): void
  /** Stops looking and waits for what is being sent; the rest of what is due goes out after the next start. */
  stop(): Promise<void>
  /** To be called after a commit that may have left mail to send: sends it later. Does not wait and never throws. */
  kick(): void
  /** Settles when nothing is being sent any more. */
  idle(): Promise<void>
}

/*
 * Taking a mail puts its next try two minutes ahead, in a statement of its own: no transaction is open while a mail
 * server is talked to, another process leaves the row alone, and if this one dies the mail is tried again. So a mail
 * may be sent twice, but is not lost.
 */
const claim = statement(
  'mail.claim',
  `with due as materialized (
    select id from auth.outbox where sent_at is null and next_try_at <= :now
    order by next_try_at limit 10 for update skip locked
  )
  update auth.outbox set attempts = attempts + 1, next_try_at = :now::timestamptz + interval '2 minutes'
  from due where outbox.id = due.id
  returning outbox.id, kind, recipient, subject, body, created_at as "createdAt"`,
)

const settle = statement(
  'mail.sent',
  "update auth.outbox set sent_at = :now, body = '', last_error = null where id = :id",
)

/* 15 seconds, then twice as long each time, an hour at the most. After the twelfth try never again, and blanked too. */
const postpone = statement(
  'mail.failed',
  `update auth.outbox set last_error = :error,
    next_try_at = case when attempts >= 12 then 'infinity'
      else :now::timestamptz + least(interval '1 hour', interval '15 seconds' * 2 ^ (attempts - 1)) end,
    body = case when attempts >= 12 then '' else body end
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

  async function rounds(): Promise<void> {
    while (again && !isStopping) {
      again = false
      // There may be more than one round takes.
      if (await deliverRound(deps)) again = true
    }
  }

  function sendDue(): void {
    if (isStopping) return
    again = true
    running ??= rounds()
      .catch((error: Error) => deps.log(`Mail: ${error.message}`))
      .finally(() => {
        running = null
        if (again) sendDue()
      })
  }

  /** One deferral at a time, or many requests would bring the next one near. */
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
      // Deferred too: who has found the rhythm could else ask just before it.
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

/** Sends ten of what is due, or all if it is less, and returns whether there was any. */
async function deliverRound(deps: DeliveryDeps): Promise<boolean> {
  const mails = await deps.db.query<OutgoingMail>(claim, { now: deps.now() })
  await Promise.all(mails.map((mail) => deliver(deps, mail)))
  return mails.length > 0
}

async function deliver({ db, send, now, log }: DeliveryDeps, mail: OutgoingMail): Promise<void> {
  try {
    await send(mail)
  } catch (error) {
    // What a mail server answers may hold anything, and a zero byte is what PostgreSQL cannot store.
    const message = (error as Error).message.replaceAll('\0', '').slice(0, ERROR_CHARACTERS)
    // The log names no person, and a mail server's answer does: the row keeps it.
    log(`Mail: ${mail.kind} ${mail.id} could not be sent; \`npm run admin -- mail failed\` says why.`)
    await db.query(postpone, { id: mail.id, now: now(), error: message })
    return
  }
  await db.query(settle, { id: mail.id, now: now() })
}
