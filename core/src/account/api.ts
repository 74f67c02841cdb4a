import * as v from 'valibot'
import { endpoint, type OutputOf } from '../endpoint.ts'
import { Instant, Int, LocalDate, maxCharacters, Uuid } from '../formats.ts'
import { LANGUAGES } from '../languages.ts'
import { MAX_TYPED_LENGTH } from './username.ts'

export const updateUsername = endpoint({
  method: 'PUT',
  path: '/api/profile/username',
  summary:
    'Set the username of the caller. It is trimmed. `username_taken` if another account has it, in any letter case.',
  input: v.object({ username: v.pipe(v.string(), maxCharacters(MAX_TYPED_LENGTH)) }),
  output: v.object({ username: v.string() }),
})

export const updateRequestEmails = endpoint({
  method: 'PUT',
  path: '/api/profile/request-emails',
  summary: 'Switch emails to the caller about connection requests on or off.',
  input: v.object({ requestEmails: v.boolean() }),
  output: v.object({ requestEmails: v.boolean() }),
})

export const updateLanguage = endpoint({
  method: 'PUT',
  path: '/api/profile/language',
  summary: 'Set the language of the caller, for the app on all devices and for emails.',
  input: v.object({ language: v.picklist(LANGUAGES) }),
  output: v.object({ language: v.picklist(LANGUAGES) }),
})

export const readMyData = endpoint({
  method: 'GET',
  path: '/api/account/data',
  summary:
    'Download all data stored about the caller, by table and without secrets. `download_running` during another download.',
  input: v.object({}),
  output: v.record(v.string(), v.array(v.record(v.string(), v.unknown()))),
})

/** All ended focus sessions of the caller as files. They are no JSON, so they are no endpoints. */
export const FOCUS_SESSIONS_CSV_PATH = '/api/account/focus-sessions.csv'
export const FOCUS_SESSIONS_ICS_PATH = '/api/account/focus-sessions.ics'

export const readSignIn = endpoint({
  method: 'GET',
  path: '/api/account/sign-in',
  summary: 'Read how the caller can sign in, and until when this session may change that.',
  input: v.object({}),
  output: v.object({
    hasPassword: v.boolean(),
    /** The identity provider of the company of the caller; null if there is none. */
    company: v.nullable(
      v.object({
        name: v.string(),
        domain: v.string(),
        /** The company's accounts sign in by it only. */
        only: v.boolean(),
        /** Whether the account of the caller is connected with it. */
        connected: v.boolean(),
      }),
    ),
    /** If the company requires a second factor or a passkey: the day (UTC) from which on. Null if it does not. */
    secondFactor: v.nullable(v.object({ requiredFrom: LocalDate })),
    /** The end of the last re-authentication of this session; null if there was none or it has expired. */
    provenUntil: v.nullable(Instant),
  }),
})
export type SignInInfo = OutputOf<typeof readSignIn>

export const prove = endpoint({
  method: 'POST',
  path: '/api/account/prove',
  summary:
    'Confirm the password of the caller. Until `provenUntil`, this session may add and remove ways to sign in. `wrong_password` if the password is wrong.',
  input: v.object({ password: v.pipe(v.string(), maxCharacters(1024)) }),
  output: v.object({ provenUntil: Instant }),
})

/** How an auth session was opened: GoTrue's name of the method. `oauth` is the identity provider of a company. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'oauth', 'recovery', 'email_change'] as const

export const readAuthSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  summary:
    'Read where the caller is signed in: one entry per browser or app, this one first, then by last use; at most 100.',
  input: v.object({}),
  output: v.object({
    sessions: v.array(
      v.object({
        id: Uuid,
        isThis: v.boolean(),
        /** False for a native app and other programs. */
        isBrowser: v.boolean(),
        /** The `User-Agent` of the last refresh. */
        agent: v.nullable(v.string()),
        /** The IP address of the last refresh. */
        address: v.nullable(v.string()),
        method: v.picklist(SIGN_IN_METHODS),
        signedInAt: Instant,
        /** Accurate to an hour. */
        lastUsedAt: Instant,
      }),
    ),
  }),
})

export const endAuthSession = endpoint({
  method: 'POST',
  path: '/api/account/sessions/end',
  summary:
    'Sign the caller out of one browser or app, and return the number of sessions that ended. `proof_needed` for another one than this, unless the caller has re-authenticated in this session.',
  input: v.object({ id: Uuid }),
  output: v.object({ ended: Int }),
})

export const endOtherAuthSessions = endpoint({
  method: 'POST',
  path: '/api/account/sessions/end-others',
  summary:
    'End all sessions of the caller except this one, and return their number. `proof_needed`, unless the caller has re-authenticated in this session.',
  input: v.object({}),
  output: v.object({ ended: Int }),
})

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/account/delete',
  summary:
    'Delete the account of the caller and all its data permanently. `wrong_password` if the password is wrong; without a password `proof_needed`, unless the caller has re-authenticated in this session.',
  input: v.object({ password: v.optional(v.pipe(v.string(), maxCharacters(1024))) }),
  output: v.object({ deleted: v.literal(true) }),
})

export const readLink = endpoint({
  method: 'POST',
  path: '/api/account/link',
  summary:
    'Read the purpose and the account of an email link, by its token. No sign-in. Does not use up the link; `link_expired` if it no longer works.',
  input: v.object({ token: v.pipe(v.string(), maxCharacters(100)) }),
  output: v.object({
    kind: v.picklist(['signup', 'recovery', 'email_change']),
    /** The current address of the account. */
    email: v.string(),
    /** The requested address, for `email_change`; otherwise null. */
    newEmail: v.nullable(v.string()),
  }),
})
export type LinkInfo = OutputOf<typeof readLink>
