/// <reference types="@vitest/browser-playwright" />
import '../testing/british.ts'
import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { DayView } from '../home/DayView.tsx'
import SettingsScreen from '../settings/SettingsScreen.tsx'
import { AverageRings } from '../stats/AverageRings.tsx'
import ProfileScreen from '../stats/ProfileScreen.tsx'
import { HOME } from '../testing/mock-api.ts'
import { openScreen } from '../testing/open-screen.tsx'
import CompanyScreen from './CompanyScreen.tsx'

const COMPANY = { domain: 'acme.com', members: 50, blur: 4, inReport: true, firstWeek: '2026-08-03', report: null }
const REPORT = {
  ...{ from: '2026-10-05', to: '2026-11-01', weeks: 4, goalTenths: 4, trend: 'more' },
  ...{ people: { value: 34, margin: 5 }, averageWeekMinutes: { value: 570, margin: 50 } },
  ...{ barWeeks: 4, times: [4, 17, 24, 12, 19, 16, 8], days: [18, 26, 20, 17, 14, 5] },
  peopleByWeek: [
    { week: '2026-10-19', value: 33, margin: 6 },
    { week: '2026-10-26', value: 34, margin: 5 },
  ],
}
const START = window.location.href
const SHOWN = { ...COMPANY, state: 'shown', report: REPORT }

const openPage = (company: object | string) => openScreen(<CompanyScreen />, { 'GET /api/company': company })

/** All that the page says, in its order. */
const sentences = () => [...document.querySelectorAll('main :is(p, h2, li)')].map((element) => element.textContent)

test('the page says its sentences in their order, and names every bar', async () => {
  await openPage(SHOWN)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Your company' })).toBeVisible()
  await expect.element(page.getByText(/^In 4 of 10/)).toBeVisible()
  const shares = (list: string) => page.getByRole('list', { name: list }).getByRole('listitem').elements()
  const times = ['Before 08:00 4%', '08:00 to 10:00 17%', '10:00 to 12:00 24%', '12:00 to 14:00 12%']
  const readAloud = (element: Element) =>
    [...element.childNodes]
      .filter((node) => !(node instanceof Element && node.getAttribute('aria-hidden')))
      .map((node) => node.textContent)
      .join('')
  expect(shares('Time of day').map(readAloud).slice(0, 4)).toEqual(times)
  expect(shares('Day of the week').map(readAloud)).toContain('Tuesday 26%')
  const rows = page.getByRole('table', { name: 'People a week' }).getByRole('row').elements()
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Week', 'People', 'Give or take'],
    ['19 Oct', '33', '6'],
    ['26 Oct', '34', '5'],
  ])
  expect(sentences().filter((text) => /[.\d a-z]{12}/i.test(text) && !text.includes('%'))).toEqual([
    'Everybody at acme.com sees this page, and everybody sees the same.',
    'In a typical week about 34 of 50 people use deeb.',
    'give or take 5 · 5 Oct to 1 Nov',
    'More than in the four weeks before.',
    'They focus about 9h\u00a030m a week each.',
    'give or take 50m',
    'In 4 of 10 weeks people reach their own weekly goal.',
    'People a week',
    '19 Oct26 Oct',
    'Each point is the mean of up to four weeks, and the band its margin.',
    'Most focus time is between 10:00 and 12:00.',
    'Day of the week',
    'Most focus time is on Tuesdays.',
    'Every number is blurred and about the whole company. It says next to nothing about you.',
    'How this page protects you',
    'It is about the whole company. There are no filters and no names, and nobody has another report.',
    "Before a number is saved, chance moves it by about four people, or about 40 hours. That is more than any one person adds, so it says next to nothing about you, even to somebody who knows everybody else's hours.",
    'Each week is counted once, on the Thursday after it. Later corrections and deleted accounts change nothing here.',
    'A number appears only when it is clearly larger than this blur, and only in companies with at least ten accounts.',
    'You can leave yourself out. You then look like somebody who does not use deeb.',
    "Somebody who knew everybody else's hours every week for months could come to guess whether you use deeb at all. If that worries you, leave yourself out. And the people who run this server can read its database.",
  ])
})

test('the rules are folded on the screen, open by keyboard, and unfolded on paper', async () => {
  await openPage(SHOWN)
  const [rule, risk] = [page.getByText(/^It is about/), page.getByText(/^Somebody who knew/)]
  await expect.element(page.getByText('How this page protects you')).toBeVisible()
  const isShown = () => [rule, risk].map((locator) => locator.element().checkVisibility())
  expect(isShown()).toEqual([false, false])
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' })
  expect(isShown()).toEqual([true, true])
  await cdp().send('Emulation.setEmulatedMedia', { media: '' })
  ;(page.getByText('How this page protects you').element().closest('summary') as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  expect(isShown()).toEqual([true, true])
})

test('bars of more weeks than the figures say so', async () => {
  await openPage({ ...SHOWN, report: { ...REPORT, barWeeks: 13 } })
  await expect
    .element(page.getByText('Most focus time is on Tuesdays. The bars are of the last 13 weeks.'))
    .toBeVisible()
  await expect
    .element(page.getByText(/^Most focus time is between .* The bars are of the last 13 weeks\.$/))
    .toBeVisible()
})

test('figures that are uncertain are left out, with their charts', async () => {
  const report = { ...REPORT, goalTenths: null, times: null, days: null, trend: 'fewer' }
  const { answers, queryClient } = await openPage({ ...SHOWN, report })
  await expect.element(page.getByText('Fewer than in the four weeks before.')).toBeVisible()
  await expect.element(page.getByText(/weekly goal|Most focus time/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: /^Time of day|^Day of/ })).not.toBeInTheDocument()
  answers['GET /api/company'] = { ...SHOWN, report: { ...report, trend: null, peopleByWeek: [] } }
  await queryClient.invalidateQueries()
  await expect.element(page.getByText(/four weeks before|^People a week/)).not.toBeInTheDocument()
})

test.each([
  ['too_small', { members: 7, firstWeek: null }, 'The report begins when acme.com has ten accounts. Now: 7.'],
  ['starts', { firstWeek: '2026-10-05' }, 'From Monday, 5 October, deeb counts weeks for this page.'],
  ['too_few', {}, 'Too few people use deeb for a number that means something.'],
])(
  '%s: the page says why there are no figures, what will be here, what protects people, and has the switch',
  async (state, rest, text) => {
    await openPage({ ...COMPANY, state, ...rest })
    await expect.element(page.getByText(text)).toBeVisible()
    await expect.element(page.getByText(/^With enough people, this page says every Thursday/)).toBeVisible()
    await expect.element(page.getByText('How this page protects you')).toBeVisible()
    await expect.element(page.getByRole('switch', { name: 'Count me in' })).toBeChecked()
    await expect.element(page.getByText(/give or take/)).not.toBeInTheDocument()
  },
)

test.each([
  ['off', 'acme.com'],
  ['no_company', null],
])('%s: there is no page, no link and no switch', async (state, domain) => {
  const answer = { ...COMPANY, state, domain, members: 0, firstWeek: null }
  window.history.replaceState(null, '', '/app/company')
  const { show } = await openPage(answer)
  await expect.poll(() => window.location.pathname).toBe('/app/profile')
  await show(<SettingsScreen />)
  await expect.element(page.getByRole('link', { name: /^Sign-in/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'What your company learns' })).not.toBeInTheDocument()
  window.history.replaceState(null, '', START)
})

test('Settings and Profile link to the page', async () => {
  const day = { ...HOME.today, goalMinutes: 60 }
  const history = { averageWeekMinutes: null, firstWeek: null, earlierWeeksMinutes: [], lastWeekMinutes: [] }
  const week = { ...HOME, ...history, week: Array.from({ length: 7 }, () => day), companyAverage: null }
  const { show } = await openScreen(<SettingsScreen />, { 'GET /api/company': SHOWN, 'GET /api/week': week })
  const row = page.getByRole('link', { name: 'What your company learns' })
  await expect.element(row).toHaveTextContent('counted in')
  await expect.element(row).toHaveAttribute('href', '/app/company')
  await show(<ProfileScreen />)
  await expect.element(page.getByText('Edit sessions')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Your company' })).toHaveAttribute('href', '/app/company')
})

test('the switch changes before the server answers', async () => {
  await openPage(SHOWN)
  const countMeIn = page.getByRole('switch', { name: 'Count me in' })
  await expect.element(countMeIn).toBeChecked()
  vi.mocked(window.fetch).mockImplementation(() => new Promise(() => undefined))
  await countMeIn.click()
  await expect.element(countMeIn).not.toBeChecked()
})

test('the switch changes back with a second press, and when it could not be saved', async () => {
  const { answers, calls } = await openPage(SHOWN)
  const countMeIn = page.getByRole('switch', { name: 'Count me in' })
  answers['PUT /api/profile/in-report'] = { inReport: false }
  await countMeIn.click()
  await expect.element(countMeIn).not.toBeChecked()
  answers['PUT /api/profile/in-report'] = { inReport: true }
  await expect.element(countMeIn).not.toHaveAttribute('aria-disabled')
  await countMeIn.click()
  await expect.element(countMeIn).toBeChecked()
  await expect.element(countMeIn).not.toHaveAttribute('aria-disabled')
  answers['PUT /api/profile/in-report'] = 'unavailable'
  await countMeIn.click()
  await expect.element(page.getByRole('main').getByText(/^This setting could not be saved/)).toBeVisible()
  await expect.element(countMeIn).toBeChecked()
  const sent = calls.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body)
  expect(sent).toEqual([{ inReport: false }, { inReport: true }, { inReport: false }])
})

test('a report that cannot be loaded can be tried again', async () => {
  const { answers } = await openPage('unavailable')
  await expect.element(page.getByRole('heading', { name: 'The report could not be loaded' })).toBeVisible()
  answers['GET /api/company'] = SHOWN
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText(/^In a typical week/)).toBeVisible()
})

test('the average of the company replaces both examples of an average user, which are folded', async () => {
  const companyAverage = { domain: 'acme.com', minutes: 600, margin: 50 }
  const rings = { minutes: 300, averageMinutes: 240, isThisWeek: true }
  const { show } = await openScreen(<AverageRings {...rings} companyAverage={companyAverage} />)
  const ring = (name: string) => page.getByRole('figure').filter({ hasText: name })
  await expect.element(page.getByText('Average week of people at acme.com, give or take 50m.')).toBeVisible()
  await expect.element(ring('Avg. User Week').getByRole('img')).toHaveAccessibleName('10 hours 0 minutes')
  await expect.element(ring('Me Compared')).toHaveTextContent('50% of avg. user')
  await show(<AverageRings {...rings} companyAverage={null} />)
  await expect.element(page.getByText('Avg. User Week')).toBeVisible()
  await expect.element(page.getByText(/Examples|23h|% of avg. user/)).not.toBeInTheDocument()
  await page.getByRole('button', { name: /^Avg. User Week/ }).click()
  await expect.element(page.getByText(/^Examples, not measured/)).toBeVisible()
  await expect.element(ring('Avg. User Week').getByRole('img')).toHaveAccessibleName('23 hours 20 minutes')
  await expect.element(ring('Me Compared')).toHaveTextContent('25% of avg. user')
})

test('Home announces the report until it begins, and nothing moves', async () => {
  const home = (reportFrom: string | null) => <DayView home={{ ...HOME, reportFrom }} beside={null} />
  const { show } = await openScreen(home(null))
  const places = () => [...document.querySelectorAll('.home > *')].map((part) => part.getBoundingClientRect().toJSON())
  await expect.element(page.getByText('get deeb')).toBeVisible()
  const before = places()
  await show(home('2026-06-22'))
  await expect
    .element(page.getByText('From Monday, 22 June, deeb counts weeks for the page of your company.'))
    .toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Read more' })).toHaveAttribute('href', '/app/company')
  expect(places()).toEqual(before)
  await show(home(HOME.today.date))
  await expect.element(page.getByText(/deeb counts weeks/)).not.toBeInTheDocument()
})
