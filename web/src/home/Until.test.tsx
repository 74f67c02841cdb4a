import '../ui/tokens.css'
import { type FocusSession, setTarget } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { currentTimeZone, timeText } from '../device/local-time.ts'
import { TEAM_KEY } from '../focus/focus-cache.ts'
import { FOCUS_OFF, HOME, mockApi } from '../testing/mock-api.ts'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import Until from './Until.tsx'

const START = '2026-06-15T09:00:00.000Z'
const SESSION = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: START, endedAt: null }
const KEY = [readHome.path, currentTimeZone()]
const OPEN = { ...HOME, serverTime: START, openSession: SESSION }

const BEN = {
  id: '22222222-2222-4222-8222-222222222222',
  person: { ...HOME.profile, firstName: 'Ben' },
  presence: { inDeebMode: false, since: null, version: 1 },
}

let queryClient: QueryClient
beforeEach(() => {
  storeTokens('mara')
  localStorage.removeItem('deeb.last-target')
  queryClient = new QueryClient({
    defaultOptions: { mutations: { networkMode: 'always' }, queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
  for (const toast of document.querySelectorAll('.toasts [role] > *')) toast.remove()
})

/** The session after that many minutes, on a screen whose query has it. Somebody without a company, unless it is given. */
function shown(minutes: number, targetMinutes?: number, hasCompany = false) {
  const session: FocusSession = targetMinutes ? { ...SESSION, targetMinutes } : SESSION
  const companyDomain = hasCompany ? 'fjordlab.example' : null
  const home = { ...OPEN, openSession: session, profile: { ...HOME.profile, companyDomain } }
  queryClient.setQueryData(KEY, home)
  return (
    <QueryClientProvider client={queryClient}>
      <Until session={session} elapsedSeconds={minutes * 60} home={home} />
    </QueryClientProvider>
  )
}

/** Records what is sent to the server, which answers with the session of the request or with a code. */
function serverAnswers(code?: string) {
  return vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
    if (code) return Response.json({ code, message: '', requestId: '' }, { status: code === 'unavailable' ? 503 : 404 })
    const { targetMinutes } = JSON.parse(String(init?.body)) as { targetMinutes: number | null }
    const session = targetMinutes ? { ...SESSION, targetMinutes } : SESSION
    return Response.json({ session, serverTime: START })
  })
}

const line = () => page.getByRole('button', { name: /until|reached/ })
const clock = (minutes: number) => timeText(new Date(Date.parse(START) + minutes * 60_000))
const openSheet = async () => {
  await line().click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
}
const choices = () => [...document.querySelectorAll('.sheet li button')].map(({ textContent }) => textContent)
const choose = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: false })

describe('the line', () => {
  test.each([
    [10, undefined, 'until …'],
    [10, 50, `until ${clock(50).replaceAll('\u00a0', ' ')}`],
    [50, 50, '50 minutes reached'],
  ])('after %s minutes with a target of %s says %s', async (minutes, targetMinutes, text) => {
    await render(shown(minutes, targetMinutes))
    await expect.element(line()).toHaveTextContent(text)
  })

  test('is not there when even the longest target is past', async () => {
    await render(shown(480))
    expect(line().query()).toBeNull()
  })

  test('announces the end once, and nothing before it', async () => {
    const screen = await render(shown(49, 50))
    const announced: string[] = []
    const status = page.elementLocator(screen.container).getByRole('status').element()
    new MutationObserver(() => announced.push(status.textContent ?? '')).observe(status, {
      ...{ childList: true, characterData: true, subtree: true },
    })
    for (const minutes of [49.5, 50, 50.1, 51]) await screen.rerender(shown(minutes, 50))
    expect(announced).toEqual(['50 minutes reached'])
  })
})

describe('the choice', () => {
  test('offers the usual lengths, an own one and no end, with their times', async () => {
    await render(shown(10))
    await openSheet()
    expect(choices()).toEqual([
      ...[25, 50, 90].map((minutes) => `${minutes} minutes${clock(minutes)}`),
      ...['Own length', 'No end'],
    ])
    await expect.element(choose('No end')).toHaveAttribute('aria-pressed', 'true')
  })

  test.each([
    ['without a company', false, [], null],
    ['with nobody in the team', true, [], null],
    ['with a connection', true, [BEN], 'Colleagues see it, rounded to 5 minutes.'],
  ])('is a soft end %s, and says who sees it only if somebody does', async (_, hasCompany, connections, seen) => {
    const team = { ...FOCUS_OFF, openSession: SESSION, connections, requests: [], sent: [] }
    const calls = mockApi({ 'GET /api/team': team })
    await render(shown(10, undefined, hasCompany))
    await openSheet()
    if (hasCompany) await expect.poll(() => queryClient.getQueryData(TEAM_KEY)).toBeDefined()
    else expect(calls).toEqual([])
    const text = ['A soft end. Nothing stops by itself.', ...(seen ? [seen] : [])].join(' ')
    await expect.poll(() => document.querySelector('dialog p')?.textContent?.trim()).toBe(text)
  })

  test('offers the last choice first, and none that is past', async () => {
    localStorage.setItem('deeb.last-target', '90')
    await render(shown(30, 50))
    await openSheet()
    expect(choices()).toEqual([
      ...[90, 50].map((minutes) => `${minutes} minutes${clock(minutes)}`),
      ...['Own length', 'No end'],
    ])
  })

  test('saves once also after a double click, closes, and returns the focus to the line', async () => {
    const asked = serverAnswers()
    await render(shown(0))
    await openSheet()
    const choice = choose('50 minutes').element() as HTMLElement
    choice.click()
    choice.click()
    await expect.poll(() => document.querySelector('dialog')).toBeNull()
    await expect.element(line()).toHaveFocus()
    const sent = asked.mock.calls.filter(([path]) => String(path).endsWith(setTarget.path))
    expect(sent.map(([, init]) => JSON.parse(String(init?.body)))).toEqual([
      { sessionId: SESSION.id, targetMinutes: 50 },
    ])
    expect(queryClient.getQueryData(KEY)).toMatchObject({ openSession: { targetMinutes: 50 } })
    expect(localStorage.getItem('deeb.last-target')).toBe('50')
  })

  test('of an own length works with the keyboard alone', async () => {
    const asked = serverAnswers()
    await render(shown(0))
    await openSheet()
    choose('Own length').element().focus()
    await userEvent.keyboard('{Enter}{Tab}{ArrowDown}{Tab}{Enter}')
    await expect.poll(() => asked.mock.calls.length).toBe(1)
    expect(JSON.parse(String(asked.mock.calls[0]?.[1]?.body))).toMatchObject({ targetMinutes: 65 })
  })

  test('of no end removes the target, and keeps the last choice', async () => {
    localStorage.setItem('deeb.last-target', '50')
    serverAnswers()
    await render(shown(0, 50))
    await openSheet()
    await choose('No end').click()
    await expect.poll(() => queryClient.getQueryData<{ openSession: object }>(KEY)?.openSession).toEqual(SESSION)
    expect(localStorage.getItem('deeb.last-target')).toBe('50')
  })

  test.each([
    ['session_not_found', 'This session has ended.'],
    ['unavailable', 'The end could not be saved. Check your connection and try again.'],
  ])('stays open with a text after %s', async (code, text) => {
    serverAnswers(code)
    await render(shown(0))
    await openSheet()
    await choose('50 minutes').click()
    await expect.element(page.getByRole('dialog').getByText(text).first()).toBeVisible()
  })

  test('does not bring back a session that another device has ended', async () => {
    serverAnswers()
    await render(shown(0))
    await openSheet()
    queryClient.setQueryData(KEY, { ...OPEN, openSession: null, version: 2 })
    await choose('50 minutes').click()
    await expect.poll(() => document.querySelector('dialog')).toBeNull()
    expect(queryClient.getQueryData(KEY)).toMatchObject({ openSession: null })
  })

  test('says that it needs the network when offline, and sends nothing', async () => {
    const asked = serverAnswers()
    const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await render(shown(0))
    await openSheet()
    await expect.element(page.getByText('You are offline.')).toBeVisible()
    await choose('50 minutes').click({ force: true })
    expect(asked).not.toHaveBeenCalled()
    isOnline.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
    await choose('50 minutes').click()
    await expect.poll(() => asked.mock.calls.length).toBe(1)
  })
})
