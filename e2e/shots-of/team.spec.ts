import { expect } from '@playwright/test'
import { becomeUser, MARA, switchDeeb, test } from '../test.ts'
import { shot } from './shot.ts'

// Not near midnight, wherever the test runs.
test.use({ startsAt: '2026-06-11T12:00:00Z' })

const NAMES = ['ada.novak', 'jonas.weber', 'priya.raman', 'elif.aydin']

test('the team: empty, search, with people, with requests', async ({ browser, page, server }, { project }) => {
  test.setTimeout(120_000)
  const shoot = (name: string) => shot(page, `${project.name}-${name}`)
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Team' }).click()
  await expect(page.getByText('No team connections yet.')).toBeVisible()
  await shoot('team-empty')

  for (const [index, name] of NAMES.entries()) {
    const colleague = await (await browser.newContext()).newPage()
    await becomeUser(colleague, server, { ...MARA, email: `${name}@fjordlab.example`, username: name })
    await colleague.getByRole('button', { name: 'Team' }).click()
    await colleague.getByRole('searchbox').fill('mara')
    await colleague.getByRole('button', { name: 'Add Mara Lind' }).first().click()
    await expect(page.getByRole('button', { name: 'Connection Requests, 1' })).toBeVisible()
    if (index === NAMES.length - 1) break
    await page.getByRole('button', { name: 'Connection Requests, 1' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByText('No pending requests')).toBeVisible()
    await shoot('team-no-requests')
    await page.getByRole('button', { name: 'Close' }).click()
    if (index < 2) await switchDeeb(colleague, 'on')
  }
  await page.reload()
  await expect(page.getByText('In deeb mode')).toHaveCount(2)
  await shoot('team')
  await page.getByRole('button', { name: 'Connection Requests, 1' }).click()
  await shoot('team-requests')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Ada Novak/ }).click()
  await shoot('team-quit')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('zzz')
  await expect(page.getByText('No people found matching "zzz"')).toBeVisible()
  await shoot('team-none')
  await page.getByRole('searchbox').fill('')
  await switchDeeb(page, 'on')
  await shoot('team-focus')
})
