import { expect, type Page } from '@playwright/test'
import { becomeUser, MARA, switchDeeb, test } from '../test.ts'
import { shot } from './shot.ts'

// A Thursday of the second week, so that there are earlier and later days, and an average.
test.use({ startsAt: '2026-06-08T06:00:00Z' })

test('goals, profile, sessions: empty, full and over the goal', async ({ page, server, pass }, { project }) => {
  test.setTimeout(120_000)
  const shoot = (name: string) => shot(page, `${project.name}-${name}`)
  const focus = async (minutes: number, thenMinutes: number) => {
    await switchDeeb(page, 'on')
    await pass(minutes)
    await switchDeeb(page, 'off')
    await pass(thenMinutes)
  }
  await becomeUser(page, server, MARA)
  await toProfile(page)
  await shoot('profile-empty')
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await expect(page.getByText('No sessions yet.')).toBeVisible()
  await shoot('sessions-empty')

  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await setGoals(page, 6)
  await shoot('goal-settings')
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  for (let day = 0; day < 7; day++) await focus(day < 5 ? 300 : 45, 24 * 60 - (day < 5 ? 300 : 45))
  for (const minutes of [315, 432, 270, 380]) await focus(minutes, 24 * 60 - minutes)
  await focus(225, 30)
  await page.reload()
  await toProfile(page)
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)))
  await shoot('profile')
  await page.getByRole('button', { name: /^Tuesday/ }).focus()
  await shoot('profile-label')
  await switchDeeb(page, 'on')
  await pass(320)
  await shoot('profile-focus')
  await page.getByRole('link', { name: 'Edit sessions' }).click()
  await page.getByRole('button', { name: /5h 15m/ }).click()
  await shoot('sessions-focus')
  await page.getByRole('button', { name: 'Add a session' }).click()
  await shoot('sessions-add')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back to Profile' }).click()
  await page.getByRole('button', { name: 'Adjust Daily Goals' }).click()
  await page.getByRole('button', { name: /^We/ }).click()
  await shoot('goal-settings-focus')
  await pass(13 * 60)
  await switchDeeb(page, 'off')
  await expect(page.getByRole('dialog', { name: 'Were you still in deeb mode?' })).toBeVisible()
  await shoot('forgotten')
})

async function toProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile', exact: true }).click()
  await expect(page.getByRole('list', { name: 'This week' })).toBeVisible()
}

async function setGoals(page: Page, hours: number): Promise<void> {
  for (const day of ['Mo', 'Tu', 'Th', 'Fr', 'We']) {
    await page.getByRole('button', { name: new RegExp(`^${day}`) }).click()
    await page.getByRole('listbox', { name: 'Hours' }).focus()
    for (let hour = 1; hour < hours; hour++) await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: `${day} ${hours}h 0m` })).toBeVisible()
  }
}
