import { createHmac } from 'node:crypto'
import { describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../testing/auth-client.ts'
import { test as base } from '../testing/test.ts'
import { REAL_COST } from '../testing/test-config.ts'

const EMAIL = 'mara.lind@fjordlab.example'
const PASSWORD = 'seven quiet otters'

const test = base
  .extend('settings', { scope: 'file' }, REAL_COST)
  /** All data of the account service as one text. */
  .extend(
    'dump',
    ({ authApp }) =>
      async function dump(): Promise<string> {
        const rows = TABLES.map((table) => `select to_jsonb(t)::text as row from auth.${table} as t`).join(
          ' union all ',
        )
        return (await authApp.auth.db.query<{ row: string }>(statement('test.dump', rows)))
          .map(({ row }) => row)
          .join('\n')
      },
  )

const TABLES = [
  ...['users', 'identities', 'sessions', 'pending_signups', 'one_time_tokens', 'mfa_factors', 'mfa_challenges'],
  ...['known_addresses', 'outbox', 'audit_log', 'webauthn_credentials', 'mfa_recovery_codes', 'spent_tokens'],
  ...['scim_tokens', 'scim_users'],
]

/** The encodings of a secret that a dump could contain. */
const spellings = (secret: string) => [
  secret,
  ...(['utf8', 'base64url'] as const).map((from) => Buffer.from(secret, from).toString('hex')),
]

describe('threat 31: a leak of the database', () => {
  test('threat 31: contains no password, link or token', async ({ authApp, dump }) => {
    const device = createAuthClient(authApp.app)
    await device.signUp({ email: EMAIL, password: PASSWORD })
    const link = await newestLinkToken(authApp, EMAIL)
    const waiting = await dump()
    expect(waiting).toContain(EMAIL)
    expect(waiting).toContain('$argon2id$v=19$m=19456,t=2,p=1$')

    await device.verifyOtp(confirmation(link, PASSWORD))
    await device.signInWithPassword({ email: EMAIL, password: PASSWORD })
    await device.resetPasswordForEmail(EMAIL)
    const recovery = await newestLinkToken(authApp, EMAIL, 'recovery')
    const { session } = (await device.getSession()).data
    const secrets = [PASSWORD, link, recovery, session?.refresh_token ?? '', session?.access_token ?? '']
    for (const text of [waiting, await dump()]) {
      for (const secret of secrets.flatMap(spellings)) {
        expect(secret.length).toBeGreaterThan(10)
        expect(text).not.toContain(secret)
      }
    }
  })

  test('threat 31: cannot forge a refresh token with any value in it as the key', async ({ authApp }) => {
    const read = statement(
      'test.leaked',
      `select sessions.id, refresh_counter as counter, encrypted_password as hash
      from auth.sessions join auth.users on users.id = user_id`,
    )
    const rows = await authApp.auth.db.query<{ id: string; counter: number; hash: string }>(read)
    expect(rows.length).toBeGreaterThan(0)
    for (const { id, counter, hash } of rows) {
      for (const key of ['', id, hash, EMAIL, Buffer.alloc(32)]) {
        const answer = await authApp.app.inject({
          method: 'POST',
          url: '/auth/v1/token?grant_type=refresh_token',
          payload: { refresh_token: forge(key, id, counter) },
        })
        expect([answer.statusCode, answer.json().code]).toEqual([400, 'refresh_token_not_found'])
      }
    }
  })
})

/** A refresh token in the format of refresh-token.ts. */
function forge(key: string | Buffer, sessionId: string, counter: number): string {
  const body = Buffer.from(`01${sessionId.replaceAll('-', '')}${counter.toString(16).padStart(8, '0')}`, 'hex')
  return Buffer.concat([body, createHmac('sha256', key).update(body).digest()]).toString('base64url')
}
