import { joinCircle } from '@deeb/core/circles/api'
import { expect } from 'vitest'
import { makeCircle, seenBy } from '../testing/circles.ts'
import { test } from '../testing/test.ts'
import { closeCircle, listCircles } from './circles.ts'

test('circles list shows no member, and circles close ends what members see', async ({ app, people }) => {
  const { db } = app
  expect(await listCircles(db)).toEqual(['There are no circles.'])
  const [ann, ben] = await people(2)
  const { circleId, invite } = await makeCircle(app, [ann, ben], '=Backend')
  const [line = '', ...others] = await listCircles(db)
  expect(line).toMatch(new RegExp(`^${circleId}\tfjordlab.example\t'=Backend\t2\t\\S+$`))
  expect(others).toEqual([])
  expect(line).not.toContain(invite)
  for (const wrong of ['Backend', ann.userId]) {
    await expect(closeCircle(db, wrong)).rejects.toThrow(`There is no circle ${wrong}.`)
  }
  expect(await closeCircle(db, circleId.toUpperCase())).toEqual(['Closed the circle =Backend of 2 people.'])
  expect([await seenBy(app, ann), await listCircles(db)]).toEqual([[], ['There are no circles.']])
  expect((await app.call(joinCircle, { invite }, ben)).status).toBe(404)
})
