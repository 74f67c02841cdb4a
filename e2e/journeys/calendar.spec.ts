import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { becomeUser, expectClean, MARA, switchDeeb, test } from '../test.ts'

/** Reads a link as a calendar does. */
async function readCalendar(page: Page, url: string) {
  const answer = await page.request.get(url)
  return { status: answer.status(), sessions: (await answer.text()).match(/SUMMARY:Focus session/g)?.length ?? 0 }
}

test('a user gives their sessions to a calendar, replaces the link and removes it', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(1)
  await switchDeeb(page, 'off')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Show focus' }).click()
  await page.getByRole('link', { name: 'Calendar' }).click()
  await page.getByRole('button', { name: 'How safe is this?' }).click()
  await expect(page.getByText('Everyone with the link can read when each session began and ended')).toBeVisible()
  await expectClean(page)

  await page.getByRole('button', { name: 'Create link' }).dblclick()
  const shown = page.getByRole('dialog', { name: 'Your calendar link' })
  await expect(shown).toBeVisible()
  await expectClean(page)
  const first = await shown.getByLabel('Link').inputValue()
  expect(first).toMatch(new RegExp(`^${server.url}/cal/[\\w-]{43}\\.ics$`))
  await shown.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('No calendar has read it yet.')).toBeVisible()
  expect(await readCalendar(page, first)).toEqual({ status: 200, sessions: 1 })
  await page.reload()
  await expect(page.getByText(/Last read at about/)).toBeVisible()
  // Nobody can show it again.
  expect(await page.content()).not.toContain('/cal/')

  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('dialog', { name: 'Replace the link?' }).getByRole('button', { name: 'Replace' }).click()
  const second = await shown.getByLabel('Link').inputValue()
  await shown.getByRole('button', { name: 'Done' }).click()
  expect(await readCalendar(page, first)).toEqual({ status: 404, sessions: 0 })
  expect(await readCalendar(page, second)).toEqual({ status: 200, sessions: 1 })

  await page.getByRole('button', { name: 'Remove' }).click()
  const remove = page.getByRole('dialog', { name: 'Remove the link?' })
  await remove.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: 'Create link' })).toBeVisible()
  expect(await readCalendar(page, second)).toEqual({ status: 404, sessions: 0 })

  // A link outlives the sign-in, so its creation asks who it is.
  await server.travel(20)
  await page.getByRole('button', { name: 'Create link' }).click()
  const proof = page.getByRole('dialog', { name: 'Show that it is you' })
  await proof.getByLabel('Password').fill(MARA.password)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Back to Show focus' }).click()
  await page.getByRole('button', { name: 'Back to Settings' }).click()
  await page.getByRole('link', { name: 'Your data' }).click()
  await page.getByRole('button', { name: 'Download my data' }).click()
  for (const [label, name, text] of [
    ['Sessions for a spreadsheet (CSV)', 'deeb-sessions.csv', /^session,start_utc,.*\r\n[\w-]{36},/],
    ['Sessions for a calendar (ICS)', 'deeb-sessions.ics', /^BEGIN:VCALENDAR\r\n[\s\S]*SUMMARY:Focus session/],
  ] as const) {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: label }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe(name)
    expect(await readFile(await file.path(), 'utf8')).toMatch(text)
  }
})
