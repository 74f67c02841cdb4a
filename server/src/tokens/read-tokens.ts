import type { OutputOf } from '@deeb/core/endpoint'
import type { readTokens as endpoint, PersonalToken } from '@deeb/core/tokens/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const TOKEN = `id, name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"`

const read = statement(
  'tokens.read',
  `select ${TOKEN} from auth.personal_tokens where user_id = :userId order by created_at desc, id`,
)

type Row = Omit<PersonalToken, 'createdAt' | 'expiresAt' | 'lastUsedAt'> & {
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

/** Reads the personal access tokens of the user, newest first. */
export async function readTokens(db: Db, { userId }: Actor): Promise<OutputOf<typeof endpoint>> {
  const rows = await db.query<Row>(read, { userId })
  const tokens = rows.map(({ createdAt, expiresAt, lastUsedAt, ...token }) => ({
    ...token,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
  return { tokens }
}
