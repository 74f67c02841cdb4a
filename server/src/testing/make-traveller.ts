import { statement } from '../db/db.ts'
import { type MadeUser, makeUser } from './make.ts'
import type { TestApp } from './test-app.ts'

const staySignedIn = statement(
  'test.stay-signed-in',
  "update auth.sessions set refreshed_at = 'infinity', not_after = 'infinity' where user_id = :userId",
)

/** A person whose device is signed in for as long as the test travels. */
export async function makeTraveller(testApp: TestApp): Promise<MadeUser> {
  const user = await makeUser(testApp)
  await testApp.db.query(staySignedIn, { userId: user.userId })
  return user
}
