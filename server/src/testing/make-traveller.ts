import { statement } from '../db/db.ts'
import { type MadeUser, makeUser } from './make.ts'
import type { TestApp } from './test-app.ts'

const staySignedIn = statement(
  'test.stay-signed-in',
  "update auth.sessions set refreshed_at = 'infinity', not_after = 'infinity' where user_id = :userId",
)

/** Creates a user whose auth session never expires, for tests that move the clock far ahead. */
export async function makeTraveller(testApp: TestApp, options: { email?: string } = {}): Promise<MadeUser> {
  const user = await makeUser(testApp, options)
  await testApp.db.query(staySignedIn, { userId: user.userId })
  return user
}
