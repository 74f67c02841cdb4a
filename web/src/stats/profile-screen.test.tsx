import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { currentTimeZone } from '../device/local-time.ts'
import { FOCUS_OFF, HOME } from '../testing/mock-api.ts'
import { button, openScreen, translatePage } from '../testing/open-screen.tsx'
import ProfileScreen from './ProfileScreen.tsx'

const READ = 'GET /api/week'
const WEEK = {
  ...FOCUS_OFF,
  week: Array.from({ length: 7 }, (_, n) => ({
    ...{ date: `2026-06-${15 + n}`, dayOfWeek: (n + 1) % 7, savedSeconds: 0, goalMinutes: 60 },
    ...{ startsAt: `2026-06-${15 + n}T00:00:00.000Z`, endsAt: `2026-06-${16 + n}T00:00:00.000Z` },
  })),
  ...{ averageWeekMinutes: null, firstWeek: null, earlierWeeksMinutes: [], lastWeekMinutes: Array(7).fill(0) },
}

test('a week that fails to load says so, with a retry', async () => {
  const { answers } = await openScreen(<ProfileScreen />, { [READ]: 'unavailable' })
  await expect.element(page.getByText('Failed to load profile data')).toBeVisible()
  answers[READ] = WEEK
  await button('Try again').click()
  await expect.element(page.getByText('get deeb')).toBeVisible()
  await expect.element(page.getByText('after your first week')).toBeVisible()
  // No figure of an example meets somebody without a minute.
  await expect.element(page.getByText(/Examples|23h|% of avg. user/)).not.toBeInTheDocument()
})

test('a week from before says how old it is, in place of a failure, until it is read again', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  queryClient.setQueryData([readWeek.path, currentTimeZone()], WEEK)
  const { answers } = await openScreen(<ProfileScreen />, { [READ]: 'unavailable' }, queryClient)
  await expect.element(page.getByText(/^As of /)).toBeVisible()
  await expect.element(page.getByText('get deeb')).toBeVisible()
  await expect.element(page.getByText('Failed to load profile data')).not.toBeInTheDocument()
  answers[READ] = WEEK
  await button('Try again').click()
  await expect.element(page.getByText(/^As of /)).not.toBeInTheDocument()
})

test('a screen that is still loading is in focus mode already', async () => {
  const openSession = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: HOME.serverTime, endedAt: null }
  const home = { ...HOME, openSession }
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  queryClient.setQueryData([readHome.path, currentTimeZone()], home)
  const answers = { 'GET /api/home': home, [READ]: () => new Promise<object>(() => undefined) }
  await openScreen(<ProfileScreen />, answers, queryClient)
  await expect.element(page.getByText('Loading...')).toBeInTheDocument()
  await expect.element(page.getByRole('switch', { name: 'deeb' })).toBeChecked()
  expect(document.documentElement.dataset.focus).toBe('on')
})

test('another week is shown on a page that a browser has translated', async () => {
  const answers = { [READ]: { ...WEEK, firstWeek: '2026-06-01', lastWeekMinutes: Array(7).fill(90) } }
  const { container } = await openScreen(<ProfileScreen />, answers)
  await expect.element(page.getByText('Pale: last week')).toBeVisible()
  translatePage(container)
  await button('Earlier week').click()
  await expect.element(button('Later week')).toBeEnabled()
  await expect.element(page.getByText('Pale: last week')).not.toBeInTheDocument()
})

test('says how many sessions of the week were undisturbed, to somebody who counts, and nothing without a session', async () => {
  const week = { ...WEEK, firstWeek: '2026-06-01' }
  const undisturbed = { sessions: 12, withoutInterruption: 9, stretchMinutes: Array(12).fill(null) }
  const { answers } = await openScreen(<ProfileScreen />, {
    [READ]: week,
    'GET /api/week/undisturbed': { undisturbed },
  })
  await expect.element(page.getByText('9 of 12 sessions undisturbed')).toBeVisible()
  answers['GET /api/week/undisturbed'] = { undisturbed: { ...undisturbed, sessions: 0, withoutInterruption: 0 } }
  await button('Earlier week').click()
  await expect.element(page.getByText(/undisturbed/)).not.toBeInTheDocument()
})
