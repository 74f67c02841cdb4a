import { type Db, statement } from '../../db/db.ts'

/** A user with a confirmed address. */
export interface User {
  id: string
  email: string
  confirmedAt: Date
  lastSignInAt: Date | null
  appMetadata: unknown
  userMetadata: unknown
  createdAt: Date
  updatedAt: Date
  identities: Identity[]
  factors: Factor[]
}

/** A way to sign in, as auth-js reads it: the email address, or an account at the company's identity provider. */
export interface Identity {
  identity_id: string
  /** The subject of the identity within its provider. */
  id: string
  user_id: string
  identity_data: unknown
  provider: string
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
}

/** A second factor, as auth-js reads it. */
export interface Factor {
  id: string
  friendly_name: string
  factor_type: 'totp' | 'phone' | 'recovery_code'
  status: 'verified' | 'unverified'
  created_at: string
  updated_at: string
}

/** SQL: the columns of User, from auth.users. */
export const USER_COLUMNS = `users.id, users.email, users.email_confirmed_at as "confirmedAt",
  users.last_sign_in_at as "lastSignInAt", users.raw_app_meta_data as "appMetadata",
  users.raw_user_meta_data as "userMetadata", users.created_at as "createdAt", users.updated_at as "updatedAt",
  coalesce((
    select json_agg(json_build_object('identity_id', id, 'id', provider_id, 'user_id', user_id, 'identity_data', identity_data,
      'provider', provider, 'last_sign_in_at', last_sign_in_at, 'created_at', created_at, 'updated_at', updated_at)
      order by created_at, id)
    from auth.identities where user_id = users.id), '[]') as identities,
  coalesce((
    select json_agg(json_build_object('id', id, 'friendly_name', friendly_name, 'factor_type', factor_type,
      'status', status, 'created_at', created_at, 'updated_at', updated_at) order by created_at, id)
    from auth.mfa_factors where user_id = users.id), '[]') as factors`

const read = statement('auth.read-user', `select ${USER_COLUMNS} from auth.users where users.id = :userId`)

export async function readUser(db: Db, userId: string): Promise<User | null> {
  const [user] = await db.query<User>(read, { userId })
  return user ?? null
}

/** The user as auth-js reads it. */
export function userAnswer(user: User) {
  return {
    ...commonPart(user),
    email_confirmed_at: user.confirmedAt,
    confirmed_at: user.confirmedAt,
    last_sign_in_at: user.lastSignInAt,
    app_metadata: user.appMetadata,
    identities: user.identities,
    ...(user.factors.length > 0 && { factors: user.factors }),
  }
}

/** The response to a sign-up. Prevents user enumeration: it is the same whether or not the address has an account. */
export function unconfirmedUserAnswer(user: Pick<User, 'id' | 'email' | 'userMetadata'>, now: Date) {
  return {
    ...commonPart({ ...user, createdAt: now, updatedAt: now }),
    app_metadata: { provider: 'email', providers: ['email'] },
    identities: [],
    confirmation_sent_at: now,
  }
}

function commonPart(user: Pick<User, 'id' | 'email' | 'userMetadata' | 'createdAt' | 'updatedAt'>) {
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    user_metadata: user.userMetadata,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    is_anonymous: false,
  }
}
