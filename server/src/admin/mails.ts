import { type Db, statement } from '../db/db.ts'
import { tableLine } from './table-line.ts'

const failed = statement(
  'admin.failed-mails',
  `select created_at as at, kind, recipient, attempts, next_try_at = 'infinity' as "isGivenUp", last_error as error
  from auth.outbox where sent_at is null and last_error is not null order by created_at, id`,
)

interface FailedMail {
  at: Date
  kind: string
  recipient: string
  attempts: number
  isGivenUp: boolean
  error: string
}

/**
 * Mail that the mail server did not take, the oldest first, with its last answer: what, to whom, how often, and whether for
 * good; a sentence if there is none.
 */
export async function listFailedMails(db: Db): Promise<string[]> {
  const mails = await db.query<FailedMail>(failed)
  if (mails.length === 0) return ['No mail has failed.']
  return mails.map(({ at, kind, recipient, attempts, isGivenUp, error }) => {
    const tries = attempts === 1 ? '1 try' : `${attempts} tries`
    const state = isGivenUp ? 'given up' : 'will be tried again'
    return tableLine(at, kind, recipient, `${tries}, ${state}`, error.replaceAll(/\s+/g, ' '))
  })
}
