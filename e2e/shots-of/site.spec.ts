import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { shot } from './shot.ts'

const PAGES = {
  home: '/',
  companies: '/companiesLP4358',
  teams: '/teamsLP678',
  'coming-soon': '/coming-soon',
  waitlist: '/waitlist',
  'not-found': '/nowhere',
}

test('every public page from top to bottom, and the results of the forms', async ({ page, server }, { project }) => {
  const shoot = (name: string) => shot(page, `${project.name}-site-${name}`, { fullPage: true })
  await shootAll(page, server.url, project.name)

  await page.goto(`${server.url}/waitlist`)
  await page.getByLabel('Email').fill('ann@fjordlab')
  await page.locator('form').evaluate((form) => (form as HTMLFormElement).submit())
  await page.waitForURL('**/waitlist#not-saved')
  await shoot('waitlist-not-saved')
  await page.getByLabel('Email').fill('ann@fjordlab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This is not a valid email address.')).toBeVisible()
  await shoot('waitlist-failed')
  await page.goto(`${server.url}/coming-soon`)
  await page.getByLabel('Email').fill('ann.meyer@fjordlab.example')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Email Saved!')).toBeVisible()
  await shoot('coming-soon-saved')

  if (project.name !== '1280') return
  await page.setViewportSize({ width: 1920, height: 1080 })
  await shootAll(page, server.url, '1920')
})

async function shootAll(page: Page, origin: string, width: string): Promise<void> {
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(origin + path)
    await shot(page, `${width}-site-${name}`, { fullPage: true })
  }
}
