import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APPS } from '../testing/apps.ts'
import { outcomesOf } from '../testing/outcomes.ts'
import { routesMadeBy } from '../testing/routes.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { WHO_MAY_WHAT } from '../testing/who-may-what.ts'

let testApp: TestApp
let routes: string[]
beforeAll(async () => {
  const made = await routesMadeBy(() => startTestApp(APPS))
  testApp = made.result
  routes = [...made.routes.keys()]
})
afterAll(() => testApp.close())

test('every route has its row, and every row its route', () => {
  expect(routes.sort()).toEqual(Object.keys(WHO_MAY_WHAT).sort())
})

describe.each(Object.entries(WHO_MAY_WHAT))('%s', (route, row) => {
  test('threat 161: answers each role and each token as the table says', async () => {
    expect(await outcomesOf(testApp, route, row)).toEqual(row.outcomes)
  })
})
