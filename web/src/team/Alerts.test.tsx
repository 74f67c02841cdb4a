import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { FOCUS_OFF, HOME, mockApi } from '../testing/mock-api.ts'
import { Alerts } from './Alerts.tsx'

const ANN = {
  ...{ id: '22222222-2222-4222-8222-222222222222', username: 'ann', firstName: 'Ann', lastName: 'Berg' },
  email: 'ann.berg@fjordlab.example',
}
const presence = { inDeebMode: false, since: null, version: 1 }
const TEAM = { ...FOCUS_OFF, connections: [{ id: ANN.id, person: ANN, presence }], requests: [], sent: [] }
const SHOWN = 'POST /api/team/alerts'

afterEach(() => vi.restoreAllMocks())

test('a wish that came true is shown once, while the server does not learn that it was shown', async () => {
  const answers = {
    'GET /api/team/alerts': { alerts: [{ userId: ANN.id, freeSince: FOCUS_OFF.serverTime }] },
    'GET /api/team': TEAM,
    [SHOWN]: 'unavailable' as object | string,
  }
  const calls = mockApi(answers)
  const reports = () => calls.filter(({ call }) => call === SHOWN).map(({ body }) => body)
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <Alerts userId={HOME.profile.id} />
    </QueryClientProvider>,
  )
  const toast = page.getByText('Ann Berg is free')
  await expect.element(toast).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(toast).not.toBeInTheDocument()
  await expect.poll(reports).toHaveLength(1)

  answers[SHOWN] = { isWanted: false }
  const reads = calls.length
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(reports).toEqual(Array(2).fill({ userId: ANN.id, isWanted: false }))
  // The wishes are read again after the report: everything that could be shown is shown.
  await expect.poll(() => calls.slice(reads).filter(({ call }) => call === 'GET /api/team/alerts')).toHaveLength(2)
  expect(toast.elements()).toEqual([])
})
