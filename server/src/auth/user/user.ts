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
  identityId: string
  identityCreatedAt: Date
  identityUpdatedAt: Date
  factors: Factor[]
}

/** A second factor, as auth-js reads it. */
export interface Factor {
  id: string
  friendly_name: string
  factor_type: 'totp' | 'phone'
  status: 'verified' | 'unverified'
  created_at: string
  updated_at: string
}

/** SQL: the columns of User, from USER_TABLES. */
export const USER_COLUMNS = `users.id, users.email, users.email_confirmed_at as "confirmedAt",
  users.last_sign_in_at as "lastSignInAt", users.raw_app_meta_data as "appMetadata",
  users.raw_user_meta_data as "userMetadata", users.created_at as "createdAt", users.updated_at as "updatedAt",
  identities.id as "identityId", identities.created_at as "identityCreatedAt",
  identities.updated_at as "identityUpdatedAt",
  coalesce((
    select json_agg(json_build_object('id', id, 'friendly_name', friendly_name, 'factor_type', factor_type,
      'status', status, 'created_at', created_at, 'updated_at', updated_at) order by created_at, id)
    from auth.mfa_factors where user_id = users.id), '[]') as factors`

/** SQL: auth.users joined with its email identity. Every user has exactly one. */
export const USER_TABLES =
  "auth.users join auth.identities on identities.user_id = users.id and identities.provider = 'email'"

const read = statement('auth.read-user', `select ${USER_COLUMNS} from ${USER_TABLES} where users.id = :userId`)

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
    identities: [
      {
        identity_id: user.identityId,
        id: user.id,
        user_id: user.id,
        identity_data: { sub: user.id, email: user.email, email_verified: true },
        provider: 'email',
        last_sign_in_at: user.lastSignInAt,
        created_at: user.identityCreatedAt,
        updated_at: user.identityUpdatedAt,
      },
    ],
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
