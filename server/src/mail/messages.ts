import { SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import { LANGUAGES, type Language } from '@deeb/core/languages'
import * as texts from '@deeb/texts/mail'

/** An email of the outbox, in every language. It has no text that a requester typed, so that nobody can send spam through us. */
export interface MailText {
  kind:
    | 'confirm'
    | 'already'
    | 'recovery'
    | 'password_changed'
    | 'email_change'
    | 'email_changed'
    | 'mfa_changed'
    | 'mfa_failed'
    | 'requests'
    | 'passkey_added'
    | 'passkey_removed'
    | 'token_created'
    | 'recovery_codes_made'
    | 'recovery_code_used'
    | 'sso_code'
    | 'sso_linked'
    | 'sso_unlinked'
    | 'chat_linked'
    | 'chat_refused'
    | 'webhook_added'
    | 'webhook_stopped'
  texts: Record<Language, WrittenText>
}

interface WrittenText {
  subject: string
  body: string
}

const MAX_CHARACTERS_PER_LINE = 72

function mail(kind: MailText['kind'], write: (options: { locale: Language }) => WrittenText): MailText {
  const written = LANGUAGES.map((locale) => {
    const { subject, body } = write({ locale })
    return [locale, { subject, body: `${body.split('\n').map(wrapped).join('\n')}\n` }]
  })
  return { kind, texts: Object.fromEntries(written) }
}

/** A paragraph in lines of at most 72 characters. A longer word stays whole: it is a link. */
function wrapped(paragraph: string): string {
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > MAX_CHARACTERS_PER_LINE) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}

/**
 * The confirmation link of a sign-up. The token is in the fragment, which appears in no log and no Referer header. With `invite` the
 * person joins that circle next.
 */
export function confirmMail(publicUrl: string, token: string, invite: string | null = null): MailText {
  const circle = invite === null ? '' : `&${SIGN_UP_DATA.join}=${invite}`
  const link = `${publicUrl}/app/confirm#token_hash=${token}&type=signup${circle}`
  return mail('confirm', (options) => ({
    subject: texts.confirmSubject({}, options),
    body: texts.confirmBody({ link }, options),
  }))
}

/** The notice to the owner of an account after a sign-up with the same address. */
export function alreadyMail(publicUrl: string): MailText {
  return mail('already', (options) => ({
    subject: texts.alreadySubject({}, options),
    body: texts.alreadyBody({ link: `${publicUrl}/app` }, options),
  }))
}

/** The URL where a user who forgot their password chooses a new one. The admin CLI prints it too. */
export function recoveryLink(publicUrl: string, token: string): string {
  return `${publicUrl}/app/reset-password#token_hash=${token}&type=recovery`
}

/** The recovery link for a user who forgot their password. */
export function recoveryMail(publicUrl: string, token: string): MailText {
  return mail('recovery', (options) => ({
    subject: texts.recoverySubject({}, options),
    body: texts.recoveryBody({ link: recoveryLink(publicUrl, token) }, options),
  }))
}

/** The notice in place of a link or code. It has their kind, so that it uses their limits. */
export function movedAddressMail(kind: 'recovery' | 'sso_code'): MailText {
  return mail(kind, (options) => ({ subject: texts.movedSubject({}, options), body: texts.movedBody({}, options) }))
}

export function passwordChangedMail(): MailText {
  return mail('password_changed', (options) => ({
    subject: texts.passwordChangedSubject({}, options),
    body: texts.passwordChangedBody({}, options),
  }))
}

/** The link that confirms the new address of an account, sent to that address. */
export function emailChangeMail(publicUrl: string, token: string): MailText {
  const link = `${publicUrl}/app/confirm#token_hash=${token}&type=email_change`
  return mail('email_change', (options) => ({
    subject: texts.emailChangeSubject({}, options),
    body: texts.emailChangeBody({ link }, options),
  }))
}

/** The notice to the owner of an account after a request to use the same address for another account. */
export function addressTakenMail(publicUrl: string): MailText {
  return mail('already', (options) => ({
    subject: texts.alreadySubject({}, options),
    body: texts.addressTakenBody({ link: `${publicUrl}/app` }, options),
  }))
}

/** Sent to the old address of an account. */
export function emailChangedMail(): MailText {
  return mail('email_changed', (options) => ({
    subject: texts.emailChangedSubject({}, options),
    body: texts.emailChangedBody({}, options),
  }))
}

/** Sent to the old address after the directory of a company changed it. */
export function emailChangedByCompanyMail(): MailText {
  return mail('email_changed', (options) => ({
    subject: texts.emailChangedSubject({}, options),
    body: texts.emailChangedByCompanyBody({}, options),
  }))
}

export function factorAddedMail(): MailText {
  return mail('mfa_changed', (options) => ({
    subject: texts.factorAddedSubject({}, options),
    body: texts.factorAddedBody({}, options),
  }))
}

export function factorRemovedMail(): MailText {
  return mail('mfa_changed', (options) => ({
    subject: texts.factorRemovedSubject({}, options),
    body: texts.factorRemovedBody({}, options),
  }))
}

/** Sent after the administrator removed everything but the password. */
export function factorsRemovedMail(): MailText {
  return mail('mfa_changed', (options) => ({
    subject: texts.factorsRemovedSubject({}, options),
    body: texts.factorsRemovedBody({}, options),
  }))
}

export function passkeyAddedMail(): MailText {
  return mail('passkey_added', (options) => ({
    subject: texts.passkeyAddedSubject({}, options),
    body: texts.passkeyAddedBody({}, options),
  }))
}

export function tokenCreatedMail(): MailText {
  return mail('token_created', (options) => ({
    subject: texts.tokenCreatedSubject({}, options),
    body: texts.tokenCreatedBody({}, options),
  }))
}

export function passkeyRemovedMail(): MailText {
  return mail('passkey_removed', (options) => ({
    subject: texts.passkeyRemovedSubject({}, options),
    body: texts.passkeyRemovedBody({}, options),
  }))
}

export function recoveryCodesMadeMail(): MailText {
  return mail('recovery_codes_made', (options) => ({
    subject: texts.recoveryCodesMadeSubject({}, options),
    body: texts.recoveryCodesMadeBody({}, options),
  }))
}

export function recoveryCodeUsedMail(): MailText {
  return mail('recovery_code_used', (options) => ({
    subject: texts.recoveryCodeUsedSubject({}, options),
    body: texts.recoveryCodeUsedBody({}, options),
  }))
}

/**
 * The six digits for a sign-in with a company account. There is no link: people click links of others carelessly, but type a code
 * only where they are signing in.
 */
export function companyCodeMail(digits: string): MailText {
  return mail('sso_code', (options) => ({
    subject: texts.companyCodeSubject({}, options),
    body: texts.companyCodeBody({ code: digits }, options),
  }))
}

export function companyConnectedMail(): MailText {
  return mail('sso_linked', (options) => ({
    subject: texts.companyConnectedSubject({}, options),
    body: texts.companyConnectedBody({}, options),
  }))
}

export function companyDisconnectedMail(): MailText {
  return mail('sso_unlinked', (options) => ({
    subject: texts.companyDisconnectedSubject({}, options),
    body: texts.companyDisconnectedBody({}, options),
  }))
}

/** Sent after several wrong codes, which only a person who knows the password can enter. */
export function wrongCodesMail(): MailText {
  return mail('mfa_failed', (options) => ({
    subject: texts.wrongCodesSubject({}, options),
    body: texts.wrongCodesBody({}, options),
  }))
}

/** For the owner, since a webhook would send their focus times to a stranger who added it. */
export function webhookAddedMail(publicUrl: string): MailText {
  return mail('webhook_added', (options) => ({
    subject: texts.webhookAddedSubject({}, options),
    body: texts.webhookAddedBody({ link: `${publicUrl}/app/settings/webhooks` }, options),
  }))
}

/** After 3 days without a delivery, or after the answer that the receiver is gone. */
export function webhookStoppedMail(publicUrl: string): MailText {
  return mail('webhook_stopped', (options) => ({
    subject: texts.webhookStoppedSubject({}, options),
    body: texts.webhookStoppedBody({ link: `${publicUrl}/app/settings/webhooks` }, options),
  }))
}

const MAX_NAMES = 5

interface WaitingRequests {
  count: number
  /** Those that the server derived from addresses: two words of A to Z each, so that no name is a link. */
  names: string[]
  unsubscribeUrl: string
}

/** For a person to whom connection requests wait. */
export function requestsMail(publicUrl: string, { count, names, unsubscribeUrl }: WaitingRequests): MailText {
  const shown = names.slice(0, MAX_NAMES)
  const others = count - shown.length
  const links = { link: `${publicUrl}/app/team`, unsubscribeLink: unsubscribeUrl }
  return mail('requests', (options) => {
    const lines = [...shown, ...(others > 0 ? [texts.requestsOthers({ count: others }, options)] : [])]
    const list = lines.map((line) => `- ${line}`).join('\n')
    return {
      subject: texts.requestsSubject({ count }, options),
      body:
        shown.length > 0
          ? texts.requestsBody({ count, names: list, ...links }, options)
          : texts.requestsBodyNameless({ count, ...links }, options),
    }
  })
}

/** `system` is the name of a chat system, such as Slack. */
export function chatLinkedMail(system: string): MailText {
  return mail('chat_linked', (options) => ({
    subject: texts.chatLinkedSubject({ system }, options),
    body: texts.chatLinkedBody({ system }, options),
  }))
}

export function chatRefusedMail(system: string): MailText {
  return mail('chat_refused', (options) => ({
    subject: texts.chatRefusedSubject({ system }, options),
    body: texts.chatRefusedBody({ system }, options),
  }))
}
