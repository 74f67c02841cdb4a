import { describe, expect } from 'vitest'
import { APPS } from '../testing/apps.ts'
import { outcomesOf } from '../testing/outcomes.ts'
import { test as base } from '../testing/routes.ts'
import { WHO_MAY_WHAT } from '../testing/who-may-what.ts'

const test = base.extend('settings', { scope: 'file' }, APPS)

test('every route has its row, and every row its route', ({ routes }) => {
  expect([...routes.keys()].sort()).toEqual(Object.keys(WHO_MAY_WHAT).sort())
})

describe.each(Object.entries(WHO_MAY_WHAT))('%s', (route, row) => {
  test('threat 161: answers each role and each token as the table says', async ({ app }) => {
    expect(await outcomesOf(app, route, row)).toEqual(row.outcomes)
  })
})
