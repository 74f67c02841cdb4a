import * as z from 'zod/mini'
import { endpoint, type OutputOf } from '../endpoint.ts'
import { LANGUAGES } from '../languages.ts'
import { MAX_TYPED_LENGTH } from './username.ts'

export const updateUsername = endpoint({
  method: 'PUT',
  path: '/api/profile/username',
  summary:
    'Set the username of the caller. It is trimmed. `username_taken` if another account has it, in any letter case.',
  input: z.object({ username: z.string().check(z.maxLength(MAX_TYPED_LENGTH)) }),
  output: z.object({ username: z.string() }),
})

export const updateRequestEmails = endpoint({
  method: 'PUT',
  path: '/api/profile/request-emails',
  summary: 'Switch emails to the caller about connection requests on or off.',
  input: z.object({ requestEmails: z.boolean() }),
  output: z.object({ requestEmails: z.boolean() }),
})

export const updateLanguage = endpoint({
  method: 'PUT',
  path: '/api/profile/language',
  summary: 'Set the language of the caller, for the app on all devices and for emails.',
  input: z.object({ language: z.enum(LANGUAGES) }),
  output: z.object({ language: z.enum(LANGUAGES) }),
})

export const readMyData = endpoint({
  method: 'GET',
  path: '/api/account/data',
  summary:
    'Download all data stored about the caller, by table and without secrets. `download_running` during another download.',
  input: z.object({}),
  output: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})

/** All ended focus sessions of the caller as files. They are no JSON, so they are no endpoints. */
export const FOCUS_SESSIONS_CSV_PATH = '/api/account/focus-sessions.csv'
export const FOCUS_SESSIONS_ICS_PATH = '/api/account/focus-sessions.ics'

export const readSignIn = endpoint({
  method: 'GET',
  path: '/api/account/sign-in',
  summary: 'Read how the caller can sign in, and until when this session may change that.',
  input: z.object({}),
  output: z.object({
    hasPassword: z.boolean(),
    /** The identity provider of the company of the caller; null if there is none. */
    company: z.nullable(
      z.object({
        name: z.string(),
        domain: z.string(),
        /** The company's accounts sign in by it only. */
        only: z.boolean(),
        /** Whether the account of the caller is connected with it. */
        connected: z.boolean(),
      }),
    ),
    /** If the company requires a second factor or a passkey: the day (UTC) from which on. Null if it does not. */
    secondFactor: z.nullable(z.object({ requiredFrom: z.iso.date() })),
    /** The end of the last re-authentication of this session; null if there was none or it has expired. */
    provenUntil: z.nullable(z.iso.datetime({ precision: 3 })),
  }),
})
export type SignInInfo = OutputOf<typeof readSignIn>

export const prove = endpoint({
  method: 'POST',
  path: '/api/account/prove',
  summary:
    'Confirm the password of the caller. Until `provenUntil`, this session may add and remove ways to sign in. `wrong_password` if the password is wrong.',
  input: z.object({ password: z.string().check(z.maxLength(1024)) }),
  output: z.object({ provenUntil: z.iso.datetime({ precision: 3 }) }),
})

/** How an auth session was opened: GoTrue's name of the method. `oauth` is the identity provider of a company. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'oauth', 'recovery', 'email_change'] as const

export const readAuthSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  summary:
    'Read where the caller is signed in: one entry per browser or app, this one first, then by last use; at most 100.',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        isThis: z.boolean(),
        /** False for a native app and other programs. */
        isBrowser: z.boolean(),
        /** The `User-Agent` of the last refresh. */
        agent: z.nullable(z.string()),
        /** The IP address of the last refresh. */
        address: z.nullable(z.string()),
        method: z.enum(SIGN_IN_METHODS),
        signedInAt: z.iso.datetime({ precision: 3 }),
        /** Accurate to an hour. */
        lastUsedAt: z.iso.datetime({ precision: 3 }),
      }),
    ),
  }),
})

export const endAuthSession = endpoint({
  method: 'POST',
  path: '/api/account/sessions/end',
  summary:
    'Sign the caller out of one browser or app, and return the number of sessions that ended. `proof_needed` for another one than this, unless the caller has re-authenticated in this session.',
  input: z.object({ id: z.uuid() }),
  output: z.object({ ended: z.int() }),
})

export const endOtherAuthSessions = endpoint({
  method: 'POST',
  path: '/api/account/sessions/end-others',
  summary:
    'End all sessions of the caller except this one, and return their number. `proof_needed`, unless the caller has re-authenticated in this session.',
  input: z.object({}),
  output: z.object({ ended: z.int() }),
})

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/account/delete',
  summary:
    'Delete the account of the caller and all its data permanently. `wrong_password` if the password is wrong; without a password `proof_needed`, unless the caller has re-authenticated in this session.',
  input: z.object({ password: z.optional(z.string().check(z.maxLength(1024))) }),
  output: z.object({ deleted: z.literal(true) }),
})

export const readLink = endpoint({
  method: 'POST',
  path: '/api/account/link',
  summary:
    'Read the purpose and the account of an email link, by its token. No sign-in. Does not use up the link; `link_expired` if it no longer works.',
  input: z.object({ token: z.string().check(z.maxLength(100)) }),
  output: z.object({
    kind: z.enum(['signup', 'recovery', 'email_change']),
    /** The current address of the account. */
    email: z.string(),
    /** The requested address, for `email_change`; otherwise null. */
    newEmail: z.nullable(z.string()),
  }),
})
export type LinkInfo = OutputOf<typeof readLink>
