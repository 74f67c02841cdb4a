import { createCircle, joinCircle } from '@deeb/core/circles/api'
import { readTeam } from '@deeb/core/team/api'
import type { MadeUser } from './make.ts'
import type { TestApp } from './test-app.ts'

/** Creates a circle whose first member is its keeper. All members are visible immediately. */
export async function makeCircle(
  testApp: TestApp,
  [keeper, ...others]: [MadeUser, ...MadeUser[]],
  name = 'Backend',
): Promise<{ circleId: string; invite: string }> {
  const { status, body } = await testApp.call(createCircle, { name }, keeper)
  if (status !== 200) throw new Error('The circle was not created.')
  // In this order, also by the time of joining.
  testApp.clock.advance({ seconds: 1 })
  for (const other of others) {
    await testApp.call(joinCircle, body, other)
    testApp.clock.advance({ seconds: 1 })
  }
  return body
}

/** The ids of everybody whom the user sees on the team screen, by one way or the other. */
export async function seenBy(testApp: TestApp, user: MadeUser): Promise<string[]> {
  const { connections, throughCircles = [] } = (await testApp.call(readTeam, {}, user)).body
  return [...connections, ...throughCircles].map(({ person }) => person.id).sort()
}
