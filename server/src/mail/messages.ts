/** A mail as it is written into the outbox. ASCII, and nothing in it that somebody typed: we relay no spam. */
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
  subject: string
  body: string
}

/** The link that makes an account. The token stands in the fragment, which reaches no log and no other site. */
export function confirmMail(publicUrl: string, token: string): MailText {
  return {
    kind: 'confirm',
    subject: 'Confirm your address for deeb',
    body: `Hello,

somebody, hopefully you, created a deeb account with this address.
Open this link and enter the password you chose:

${publicUrl}/app/confirm#token_hash=${token}&type=signup

The link works for 24 hours. If it was not you, ignore this mail:
without the link and that password there is no account.
`,
  }
}

/** For somebody who signs up with an address that has an account. */
export function alreadyMail(publicUrl: string): MailText {
  return {
    kind: 'already',
    subject: 'You already have a deeb account',
    body: `Hello,

somebody, hopefully you, tried to create a deeb account with this
address. It has one already, with the password you chose before:

${publicUrl}/app

If it was not you, ignore this mail: nothing has changed.
`,
  }
}

/** Where somebody who forgot their password chooses a new one; also printed for the operator to pass on. */
export function recoveryLink(publicUrl: string, token: string): string {
  return `${publicUrl}/app/reset-password#token_hash=${token}&type=recovery`
}

/** The mail with the link for somebody who forgot their password. */
export function recoveryMail(publicUrl: string, token: string): MailText {
  return {
    kind: 'recovery',
    subject: 'Choose a new password for deeb',
    body: `Hello,

somebody, hopefully you, forgot the password of the deeb account with
this address. Open this link to choose a new one:

${recoveryLink(publicUrl, token)}

The link works once, for 30 minutes. If it was not you, ignore this
mail: nothing has changed.
`,
  }
}

export function passwordChangedMail(): MailText {
  return {
    kind: 'password_changed',
    subject: 'Your deeb password was changed',
    body: `Hello,

the password of your deeb account has just been changed, and all other
devices were signed out.

If it was not you, choose a new password now with "Forgot password?" on
the sign-in page, and tell whoever runs your server.
`,
  }
}

/** The link that moves an account to the address it is mailed to. */
export function emailChangeMail(publicUrl: string, token: string): MailText {
  return {
    kind: 'email_change',
    subject: 'Confirm your new address for deeb',
    body: `Hello,

somebody, hopefully you, wants this to be the address of their deeb
account. This link opens a page that names the account. Confirm there,
signed in to that account or with its password:

${publicUrl}/app/confirm#token_hash=${token}&type=email_change

The link works once, for 30 minutes. If the account is not yours,
ignore this mail: nothing changes.
`,
  }
}

/** For the owner of an address to which somebody wants to move another account. */
export function addressTakenMail(publicUrl: string): MailText {
  return {
    kind: 'already',
    subject: 'You already have a deeb account',
    body: `Hello,

somebody, hopefully you, wanted this to be the address of another deeb
account. It has an account already:

${publicUrl}/app

If it was not you, ignore this mail: nothing has changed.
`,
  }
}

/** To the address that an account had before. */
export function emailChangedMail(): MailText {
  return {
    kind: 'email_changed',
    subject: 'Your deeb account has another address now',
    body: `Hello,

your deeb account has just got another address. You sign in with that
one from now on, and all devices were signed out.

If it was not you, tell whoever runs your server at once.
`,
  }
}

export function factorAddedMail(): MailText {
  return {
    kind: 'mfa_changed',
    subject: 'Your deeb account has a second factor now',
    body: `Hello,

from now on, signing in to your deeb account takes a code of an
authenticator app beside the password.

If it was not you, tell whoever runs your server at once.
`,
  }
}

export function factorRemovedMail(): MailText {
  return {
    kind: 'mfa_changed',
    subject: 'A second factor of your deeb account was removed',
    body: `Hello,

an authenticator app was just removed from your deeb account. Its codes
count no more.

If it was not you, tell whoever runs your server at once.
`,
  }
}

/** After several wrong codes: only somebody who knows the password can try them. */
export function wrongCodesMail(): MailText {
  return {
    kind: 'mfa_failed',
    subject: 'Wrong codes for your deeb account',
    body: `Hello,

somebody signed in to your deeb account with its password, but then
gave several wrong codes of the authenticator app.

If it was not you, somebody knows your password. Choose a new one now
with "Forgot password?" on the sign-in page. After too many wrong codes
no code is accepted until you have done so.
`,
  }
}
