import { expect } from '@playwright/test'
import { becomeUser, MARA, switchDeeb, test } from '../test.ts'
import { shot } from './shot.ts'

test.use({ startsAt: '2026-06-11T07:00:00Z' })

test('the target of a session on Home: none, the choice, ahead and reached', async ({ page, server, pass }, {
  project,
}) => {
  const shoot = (name: string) => shot(page, `${project.name}-until-${name}`)
  await becomeUser(page, server, MARA)
  await shoot('off')
  await switchDeeb(page, 'on')
  await page.getByRole('button', { name: 'until' }).waitFor()
  await shoot('none')
  await page.getByRole('button', { name: 'until' }).click()
  await shoot('choice')
  await page.getByRole('button', { name: 'Own length' }).click()
  await shoot('own')
  await page.getByRole('button', { name: '50 minutes' }).click()
  await expect(page.getByRole('button', { name: 'until 09:50' })).toBeVisible()
  await pass(20)
  await shoot('ahead')
  await pass(31)
  await expect(page.getByRole('button', { name: '50 minutes reached' })).toBeVisible()
  await shoot('reached')
})
