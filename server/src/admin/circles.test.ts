import { joinCircle } from '@deeb/core/circles/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCircle, seenBy } from '../testing/circles.ts'
import { makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { closeCircle, listCircles } from './circles.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

test('circles list shows no member, and circles close ends what members see', async () => {
  const { db } = testApp
  expect(await listCircles(db)).toEqual(['There are no circles.'])
  const [ann, ben] = [await makeUser(testApp), await makeUser(testApp)]
  const { circleId, invite } = await makeCircle(testApp, [ann, ben], '=Backend')
  const [line = '', ...others] = await listCircles(db)
  expect(line).toMatch(new RegExp(`^${circleId}\tfjordlab.example\t'=Backend\t2\t\\S+$`))
  expect(others).toEqual([])
  expect(line).not.toContain(invite)
  for (const wrong of ['Backend', ann.userId]) {
    await expect(closeCircle(db, wrong)).rejects.toThrow(`There is no circle ${wrong}.`)
  }
  expect(await closeCircle(db, circleId.toUpperCase())).toEqual(['Closed the circle =Backend of 2 people.'])
  expect([await seenBy(testApp, ann), await listCircles(db)]).toEqual([[], ['There are no circles.']])
  expect((await testApp.call(joinCircle, { invite }, ben)).status).toBe(404)
})
