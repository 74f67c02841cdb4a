import { type Db, statement } from '../db/db.ts'
import { retryEmails } from '../mail/delivery.ts'
import { tableLine } from './table-line.ts'

const failed = statement(
  'admin.failed-emails',
  `select created_at as at, kind, recipient, attempts, next_try_at = 'infinity' as "isGivenUp", last_error as error
  from auth.outbox where sent_at is null and last_error is not null order by created_at, id`,
)

interface FailedEmail {
  at: Date
  kind: string
  recipient: string
  attempts: number
  isGivenUp: boolean
  error: string
}

/** Lets the server send the emails now that could not be delivered. Returns the line to print. */
export async function retryFailedEmails(db: Db): Promise<string[]> {
  const count = await retryEmails(db, new Date())
  if (count === 0) return ['No email waits for another attempt.']
  return [`The server sends ${count === 1 ? 'one email' : `${count} emails`} again within a minute.`]
}

/**
 * Lists the emails that could not be delivered, oldest first, one line each: time, kind, recipient, number of attempts, whether it
 * will be retried, and the last error. One sentence if there is none.
 */
export async function listFailedEmails(db: Db): Promise<string[]> {
  const emails = await db.query<FailedEmail>(failed)
  if (emails.length === 0) return ['No email has failed.']
  return emails.map(({ at, kind, recipient, attempts, isGivenUp, error }) => {
    const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`
    const state = isGivenUp ? 'given up' : 'will be retried'
    return tableLine(at, kind, recipient, `${count}, ${state}`, error.replaceAll(/\s+/g, ' '))
  })
}
