import type { Language } from '@deeb/core/languages'
import type { MailText } from './messages.ts'

/** All are SQL expressions. */
interface OutboxInsert {
  recipient: string
  /** The requester whose limit this uses; none by default. */
  askedBy?: string
  /** By default that of `mailParams`. */
  kind?: string
  /** Subject and body by language, as JSON; by default those of `mailParams`. */
  texts?: string
  /** The language for a recipient who has stored none; by default that of `mailParams`. Null is English. */
  language?: string
  /** The link by which the recipient stops emails of this kind; none by default. */
  unsubscribeUrl?: string
  /** The email is written if this has a row. */
  from: string
}

/**
 * SQL: the insert that writes an email to the outbox, due at `:now`, in the language that its recipient has stored. A newer server may
 * have stored one that this server does not know: then in English. Its parameters are those of `mailParams`.
 */
export function outboxInsert({
  recipient,
  askedBy = 'null',
  kind = ':kind',
  texts = ':mailTexts',
  language = ':mailLanguage',
  unsubscribeUrl = 'null',
  from,
}: OutboxInsert): string {
  return `insert into auth.outbox (id, kind, subject, body, recipient, asked_by, unsubscribe_url, created_at, next_try_at)
    select gen_random_uuid(), kind, text->>'subject', text->>'body', recipient, asked_by, unsubscribe_url, :now, :now
    from (
      select ${kind} as kind, (${texts})::jsonb as texts, ${recipient} as recipient, ${askedBy} as asked_by,
        ${unsubscribeUrl} as unsubscribe_url, ${language} as fallback
      from ${from}
    ) as written cross join lateral (
      select coalesce(texts->coalesce(
        (select profiles.language from auth.users join profiles using (id) where users.email = written.recipient),
        fallback), texts->'en') as text
    ) as chosen`
}

/** `language` is that of the request, if there is one: see outboxInsert(). */
export function mailParams({ kind, texts }: MailText, language: Language | null = null) {
  return { kind, mailTexts: JSON.stringify(texts), mailLanguage: language }
}
