import { readCompany } from '@deeb/core/report/api'
import { expect, type Page } from '@playwright/test'
import { becomeUser, MARA, switchDeeb, test } from '../test.ts'
import { shot } from './shot.ts'

test.use({ startsAt: '2026-11-10T08:00:00Z' })

const BASE = { domain: 'fjordlab.example', members: 50, blur: 4, inReport: true, firstWeek: '2026-08-10', report: null }
const PEOPLE = [28, 30, 31, 29, 32, 35, 34, 33, 36, 37, 36, 35, 34]
const SHOWN = {
  ...{ ...BASE, state: 'shown' },
  report: {
    ...{ from: '2026-10-05', to: '2026-11-01', weeks: 4, goalTenths: 4, trend: 'more' },
    ...{ people: { value: 34, margin: 5 }, averageWeekMinutes: { value: 570, margin: 45 } },
    ...{ barWeeks: 13, times: [4, 17, 24, 12, 19, 16, 8], days: [18, 26, 20, 17, 14, 5] },
    peopleByWeek: PEOPLE.map((value, n) => ({
      week: new Date(Date.UTC(2026, 7, 3 + 7 * n)).toISOString().slice(0, 10),
      value,
      margin: n < 3 ? 9 - n : 5,
    })),
  },
}

/** Answers with this report in place of the server: its weeks would take a year. */
async function answer(page: Page, company: object): Promise<void> {
  await page.unroute(`**${readCompany.path}`)
  await page.route(`**${readCompany.path}`, (route) => route.fulfill({ json: company }))
}

test('the page of a company: every state, in focus mode and in print', async ({ page, server }, { project }) => {
  const shoot = (name: string, fullPage = true) => shot(page, `${project.name}-company-${name}`, { fullPage })
  await answer(page, SHOWN)
  await page.route('**/api/home?*', async (route) => {
    const home = await (await route.fetch()).json()
    await route.fulfill({ json: { ...home, reportFrom: '2026-11-16' } })
  })
  await page.route('**/api/week?*', async (route) => {
    const week = await (await route.fetch()).json()
    const companyAverage = { domain: 'fjordlab.example', minutes: 570, margin: 50 }
    await route.fulfill({ json: { ...week, companyAverage } })
  })
  await becomeUser(page, server, MARA)
  await expect(page.getByText(/^From Monday, 16 November/)).toBeVisible()
  await shoot('home', false)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('link', { name: 'What your company learns' })).toBeVisible()
  await shoot('settings')
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Your company' }).waitFor()
  await shoot('profile')
  await page.getByRole('link', { name: 'Your company' }).click()
  await expect(page.getByText('In 4 of 10 weeks')).toBeVisible()
  await shoot('shown')
  await page.goto(`${server.url}/app/home`)
  await switchDeeb(page, 'on')
  await page.goto(`${server.url}/app/company`)
  await expect(page.getByText('In 4 of 10 weeks')).toBeVisible()
  await shoot('focus')
  await page.emulateMedia({ media: 'print' })
  await shoot('print')
  if (project.name === '1280') await page.pdf({ path: new URL('../shots/company.pdf', import.meta.url).pathname })
  await page.emulateMedia({ media: null })
  await switchDeeb(page, 'off')

  const report = { ...SHOWN.report, goalTenths: null, times: null, days: null, trend: null }
  const few = { ...report, people: { value: 26, margin: 9 }, peopleByWeek: report.peopleByWeek.slice(0, 4) }
  const states: [name: string, text: RegExp, company: object][] = [
    ['few', /about 26 of 50/, { ...SHOWN, report: few }],
    ['too-few', /^Too few/, { ...BASE, state: 'too_few' }],
    ['starts', /^From Monday/, { ...BASE, state: 'starts', firstWeek: '2026-11-16' }],
    ['too-small', /Now: 7/, { ...BASE, state: 'too_small', members: 7, firstWeek: null }],
    ['off', /^There is no report/, { ...BASE, state: 'off' }],
  ]
  for (const [name, text, company] of states) {
    await answer(page, company)
    await page.reload()
    await page.getByText(text).waitFor()
    await shoot(name)
  }
  await page.unroute(`**${readCompany.path}`)
  await page.evaluate(() => localStorage.removeItem('deeb.kept-reads'))
  await page.route(`**${readCompany.path}`, (route) => route.abort())
  await page.reload()
  await page.getByText('could not be loaded').waitFor()
  await shoot('failed')
})
