import { SIGN_UP_CIRCLE } from '@deeb/core/circles/circle'

/** The text of an email in the outbox. ASCII only, and no text that a requester typed, so that nobody can send spam through us. */
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
  subject: string
  body: string
}

/**
 * The confirmation link of a sign-up. The token is in the fragment, which appears in no log and no Referer header. With `invite` the
 * link leads back to the circle of the link that the person has opened.
 */
export function confirmMail(publicUrl: string, token: string, invite: string | null = null): MailText {
  const circle = invite === null ? '' : `&${SIGN_UP_CIRCLE}=${invite}`
  return {
    kind: 'confirm',
    subject: 'Confirm your address for deeb',
    body: `Hello,

somebody, hopefully you, created a deeb account with this address.
Open this link and enter the password you chose:

${publicUrl}/app/confirm#token_hash=${token}&type=signup${circle}

The link works for 24 hours. If this was not you, ignore this email:
no account is created without the link and the password.
`,
  }
}

/** For the owner of an account, after a sign-up with the same address. */
export function alreadyMail(publicUrl: string): MailText {
  return {
    kind: 'already',
    subject: 'You already have a deeb account',
    body: `Hello,

somebody, hopefully you, tried to create a deeb account with this
address. You already have one. Sign in with your existing password:

${publicUrl}/app

If this was not you, ignore this email: nothing has changed.
`,
  }
}

/** The URL where a user who forgot their password chooses a new one. The admin CLI prints it too. */
export function recoveryLink(publicUrl: string, token: string): string {
  return `${publicUrl}/app/reset-password#token_hash=${token}&type=recovery`
}

/** The recovery link for a user who forgot their password. */
export function recoveryMail(publicUrl: string, token: string): MailText {
  return {
    kind: 'recovery',
    subject: 'Choose a new password for deeb',
    body: `Hello,

somebody, hopefully you, asked for a new password for the deeb account
with this address. Open this link to choose one:

${recoveryLink(publicUrl, token)}

The link works once, for 30 minutes. If this was not you, ignore this
email: nothing has changed.
`,
  }
}

/** In place of a link or code. It has their kind, so that it uses their limits. */
export function movedAddressMail(kind: 'recovery' | 'sso_code'): MailText {
  return {
    kind,
    subject: 'Your deeb account opens by email from tomorrow on',
    body: `Hello,

somebody, hopefully you, asked for a link or a code for the deeb account
with this address. Your company changed the address of this account less
than 24 hours ago. Until then deeb sends neither: sign in as before, ask
again tomorrow, or ask your administrator for a link.

If this was not you, ignore this email: nothing has changed.
`,
  }
}

export function passwordChangedMail(): MailText {
  return {
    kind: 'password_changed',
    subject: 'Your deeb password was changed',
    body: `Hello,

the password of your deeb account was changed, and all other devices
were signed out.

If this was not you, choose a new password now with "Forgot password?"
on the sign-in page, and tell your administrator right away.
`,
  }
}

/** The link that confirms the new address of an account, sent to that address. */
export function emailChangeMail(publicUrl: string, token: string): MailText {
  return {
    kind: 'email_change',
    subject: 'Confirm your new address for deeb',
    body: `Hello,

somebody, hopefully you, wants to use this address for a deeb account.
This link opens a page that shows the account. Confirm the change there:
sign in to that account, or enter its password.

${publicUrl}/app/confirm#token_hash=${token}&type=email_change

The link works once, for 30 minutes. If the account is not yours,
ignore this email: nothing changes.
`,
  }
}

/** For the owner of an account, after a request to use the same address for another account. */
export function addressTakenMail(publicUrl: string): MailText {
  return {
    kind: 'already',
    subject: 'You already have a deeb account',
    body: `Hello,

somebody, hopefully you, wanted to use this address for another deeb
account. You already have an account with this address:

${publicUrl}/app

If this was not you, ignore this email: nothing has changed.
`,
  }
}

/** Sent to the old address of an account. */
export function emailChangedMail(): MailText {
  return {
    kind: 'email_changed',
    subject: 'The address of your deeb account was changed',
    body: `Hello,

the email address of your deeb account was changed. Sign in with the
new address from now on. All devices were signed out.

If this was not you, tell your administrator right away.
`,
  }
}

/** Sent to the old address after the directory of a company changed it. */
export function emailChangedByCompanyMail(): MailText {
  return {
    kind: 'email_changed',
    subject: 'The address of your deeb account was changed',
    body: `Hello,

your company changed the email address of your deeb account. Sign in
with the new address from now on.

If you did not expect this, ask your administrator now: after 24 hours
the new address can choose a new password.
`,
  }
}

export function factorAddedMail(): MailText {
  return {
    kind: 'mfa_changed',
    subject: 'A second factor was added to your deeb account',
    body: `Hello,

an authenticator app was added to your deeb account. From now on,
signing in needs your password and a code from the app.

If this was not you, tell your administrator right away.
`,
  }
}

export function factorRemovedMail(): MailText {
  return {
    kind: 'mfa_changed',
    subject: 'A second factor of your deeb account was removed',
    body: `Hello,

an authenticator app was removed from your deeb account. Its codes no
longer work.

If this was not you, tell your administrator right away.
`,
  }
}

/** Sent after the administrator removed everything but the password. */
export function factorsRemovedMail(): MailText {
  return {
    kind: 'mfa_changed',
    subject: 'The second factors of your deeb account were removed',
    body: `Hello,

the administrator removed all authenticator apps, recovery codes and
passkeys of your deeb account. From now on, signing in needs only your
password.

If you did not ask for this, tell your administrator right away.
`,
  }
}

export function passkeyAddedMail(): MailText {
  return {
    kind: 'passkey_added',
    subject: 'A passkey was added to your deeb account',
    body: `Hello,

a passkey was added to your deeb account. It signs in without your
password.

If this was not you, tell your administrator right away.
`,
  }
}

export function tokenCreatedMail(): MailText {
  return {
    kind: 'token_created',
    subject: 'An app was connected to your deeb account',
    body: `Hello,

an access token was created for your deeb account. A program that has
it can use deeb in your name. Settings, Connected apps shows it and
what it may do, and can revoke it.

If this was not you, revoke it there, change your password, and tell
your administrator right away.
`,
  }
}

export function passkeyRemovedMail(): MailText {
  return {
    kind: 'passkey_removed',
    subject: 'A passkey of your deeb account was removed',
    body: `Hello,

a passkey was removed from your deeb account. It no longer works, and
other devices that signed in with it were signed out.

If this was not you, tell your administrator right away.
`,
  }
}

export function recoveryCodesMadeMail(): MailText {
  return {
    kind: 'recovery_codes_made',
    subject: 'Recovery codes were made for your deeb account',
    body: `Hello,

recovery codes were made for your deeb account. Each signs in once, with
your password, in place of a code of the authenticator app. Recovery
codes from before no longer work.

If this was not you, tell your administrator right away.
`,
  }
}

export function recoveryCodeUsedMail(): MailText {
  return {
    kind: 'recovery_code_used',
    subject: 'A recovery code of your deeb account was used',
    body: `Hello,

somebody, hopefully you, signed in to your deeb account with your
password and a recovery code. This code no longer works.

If this was not you, choose a new password now with "Forgot password?"
on the sign-in page, and tell your administrator right away.
`,
  }
}

/**
 * The six digits for a sign-in with a company account. There is no link: people click links of others carelessly, but type a code
 * only where they are signing in.
 */
export function companyCodeMail(digits: string): MailText {
  return {
    kind: 'sso_code',
    subject: 'Your code for deeb',
    body: `Hello,

somebody, hopefully you, is signing in to deeb with a company account
and this address. Type this code on the page where you sign in:

${digits}

The code works for 15 minutes. Nobody from deeb or your company will ask
you for it. If this was not you, ignore this email: without the code
nothing changes.
`,
  }
}

export function companyConnectedMail(): MailText {
  return {
    kind: 'sso_linked',
    subject: 'Your company account opens deeb now',
    body: `Hello,

a company account was connected with your deeb account. From now on, you
can sign in to deeb with it.

If this was not you, tell your administrator right away.
`,
  }
}

export function companyDisconnectedMail(): MailText {
  return {
    kind: 'sso_unlinked',
    subject: 'Your company account was disconnected from deeb',
    body: `Hello,

the company account was disconnected from your deeb account. It no
longer signs in, and other devices that signed in with it were signed
out.

If this was not you, tell your administrator right away.
`,
  }
}

/** Sent after several wrong codes, which only a person who knows the password can enter. */
export function wrongCodesMail(): MailText {
  return {
    kind: 'mfa_failed',
    subject: 'Wrong codes for your deeb account',
    body: `Hello,

somebody signed in to your deeb account with your password, but then
entered several wrong codes of the second factor.

If this was not you, somebody knows your password. Choose a new one now
with "Forgot password?" on the sign-in page. After too many wrong codes
no code of an authenticator app works until you choose a new password.
`,
  }
}

/** For the owner, since a webhook would send their focus times to a stranger who added it. */
export function webhookAddedMail(publicUrl: string): MailText {
  return {
    kind: 'webhook_added',
    subject: 'deeb sends your focus times to a new address',
    body: `Hello,

somebody, hopefully you, added a webhook to your deeb account, or changed
its address. From now on, deeb sends there when you switch deeb mode on
or off, or reach your goal. See and delete your webhooks here:

${publicUrl}/app/settings/webhooks

If this was not you, delete the webhook, and choose a new password.
`,
  }
}

/** After 3 days without a delivery, or after the answer that the receiver is gone. */
export function webhookStoppedMail(publicUrl: string): MailText {
  return {
    kind: 'webhook_stopped',
    subject: 'A webhook of your deeb account was switched off',
    body: `Hello,

one of your webhooks received nothing for 3 days, or its server answered
that it is gone. deeb has switched it off. See what happened, and switch
it on again here:

${publicUrl}/app/settings/webhooks
`,
  }
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
  const subject = `${count === 1 ? 'A colleague wants' : `${count} colleagues want`} to connect with you on deeb`
  const shown = names.slice(0, MAX_NAMES)
  const others = count - shown.length
  const lines = [...shown, ...(others > 0 ? [`${others} more`] : [])].map((line) => `- ${line}\n`).join('')
  return {
    kind: 'requests',
    subject,
    body: `Hello,

${subject}${shown.length > 0 ? `:\n\n${lines}` : '.\n'}
Connected colleagues see when the other one is in deeb mode. Accept or
decline here:

${publicUrl}/app/team

You get this email at most once a day. Stop it here:

${unsubscribeUrl}
`,
  }
}

/** `system` is the name of a chat system, such as Slack. */
export function chatLinkedMail(system: string): MailText {
  return {
    kind: 'chat_linked',
    subject: `${system} was connected to your deeb account`,
    body: `Hello,

${system} was connected to your deeb account. While you are in deeb mode,
your status there says so. You find it in Settings, "Status in chat".

If this was not you, disconnect it there, change your password, and tell
your administrator.
`,
  }
}

export function chatRefusedMail(system: string): MailText {
  return {
    kind: 'chat_refused',
    subject: `${system} is no longer connected to deeb`,
    body: `Hello,

${system} has refused the connection to your deeb account, so your status
there does not follow deeb mode any more. deeb has deleted its tokens.

To connect it again, open Settings, "Status in chat".
`,
  }
}
