import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { FOCUS_OFF, HOME, mockApi } from '../testing/mock-api.ts'
import { Alerts } from './Alerts.tsx'
import { FreeBell } from './FreeBell.tsx'

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

test('a screen in a room does not tell for whom its user waits', async () => {
  window.history.replaceState(null, '', '/app/team?wall')
  const calls = mockApi({
    'GET /api/team/alerts': { alerts: [{ userId: ANN.id, freeSince: FOCUS_OFF.serverTime }] },
    'GET /api/team': TEAM,
    [SHOWN]: { isWanted: false },
  })
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <Alerts userId={HOME.profile.id} />
    </QueryClientProvider>,
  )
  await expect.poll(() => calls.map(({ call }) => call)).toEqual(['GET /api/team/alerts'])
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => document.visibilityState).toBe('visible')
  expect(page.getByText('Ann Berg is free').elements()).toEqual([])
  window.history.replaceState(null, '', '/app/team')
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => calls.some(({ call }) => call === SHOWN)).toBe(true)
})

describe('the bell', () => {
  const bell = page.getByRole('button', { name: 'Tell me when Ann is free' })
  const ring = () =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <FreeBell userId={ANN.id} name="Ann" inDeebMode={true} />
      </QueryClientProvider>,
    )

  test('returns to its state when the server did not receive a press, also while it cannot be asked', async () => {
    const answers = { 'GET /api/team/alerts': { alerts: [] } as object | string, [SHOWN]: 'unavailable' }
    mockApi(answers)
    await ring()
    await expect.element(bell).toHaveAttribute('aria-pressed', 'false')
    answers['GET /api/team/alerts'] = 'unavailable'
    await bell.click()
    await expect.element(page.getByText('This could not be saved. Please try again.')).toBeVisible()
    await expect.element(bell).toHaveAttribute('aria-pressed', 'false')
  })

  test('sends quick presses one after the other and shows the last one, on a slow network too', async () => {
    let isWanted = false
    const sent: { body: string; answer: () => void }[] = []
    vi.spyOn(window, 'fetch').mockImplementation(async (_input, init) => {
      if (!init?.body) return Response.json({ alerts: isWanted ? [{ userId: ANN.id, freeSince: null }] : [] })
      const body = String(init.body)
      await new Promise<void>((answer) => sent.push({ body, answer }))
      isWanted = JSON.parse(body).isWanted
      return Response.json({ isWanted })
    })
    await ring()
    const shown: (string | null)[] = []
    new MutationObserver(() => shown.push(bell.element().getAttribute('aria-pressed'))).observe(bell.element(), {
      attributeFilter: ['aria-pressed'],
    })
    for (const pressed of ['true', 'false', 'true']) {
      await bell.click()
      await expect.element(bell).toHaveAttribute('aria-pressed', pressed)
    }
    for (const count of [1, 2, 3]) {
      await expect.poll(() => sent).toHaveLength(count)
      sent.at(-1)?.answer()
    }
    await expect.poll(() => isWanted).toBe(true)
    expect(sent.map(({ body }) => JSON.parse(body).isWanted)).toEqual([true, false, true])
    expect(shown).toEqual(['true', 'false', 'true'])
  })
})
