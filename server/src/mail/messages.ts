/** A mail as it is written into the outbox. ASCII, and nothing in it that somebody typed: we relay no spam. */
export interface MailText {
  kind: 'confirm' | 'already'
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
