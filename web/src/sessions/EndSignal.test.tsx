import '../ui/tokens.css'
import { readHome } from '@deeb/core/home/api'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { currentTimeZone } from '../device/local-time.ts'
import { EndSignal } from './EndSignal.tsx'
import { EndSignalSettings } from './EndSignalSettings.tsx'

const START = Date.parse('2026-06-15T09:00:00.000Z')
const minutesAfter = (minutes: number) => new Date(START + minutes * 60_000)

/** The signals that the device gave: notes of a sound, vibrations, and titles of notifications. */
let given: string[]
let permission: NotificationPermission
const requestPermission = vi.fn(async () => permission)

beforeEach(() => {
  localStorage.clear()
  given = []
  permission = 'granted'
  requestPermission.mockClear()
  vi.spyOn(OscillatorNode.prototype, 'start').mockImplementation(() => void given.push('note'))
  vi.spyOn(OscillatorNode.prototype, 'stop').mockReturnValue()
  vi.spyOn(window, 'fetch').mockImplementation(() => new Promise(() => undefined))
  vi.spyOn(window.navigator, 'userActivation', 'get').mockReturnValue({ hasBeenActive: true, isActive: true })
  vi.spyOn(navigator, 'vibrate').mockImplementation((ms) => Boolean(given.push(`${ms} ms`)))
  const matchMedia = window.matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    matchMedia(query === '(pointer: coarse)' ? 'all' : query),
  )
  class FakeNotification {
    static requestPermission = requestPermission
    static get permission() {
      return permission
    }
    constructor(title: string, { silent }: NotificationOptions) {
      given.push(`${title}${silent ? '' : ' with a sound'}`)
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const setting = (name: string) => page.getByRole('switch', { name })

async function switchOn(...names: string[]) {
  await render(<EndSignalSettings />)
  for (const name of names) {
    await setting(name).click()
    await expect.element(setting(name)).toBeChecked()
  }
  given = []
}

/** A page that opens that many minutes after the start, in a session of 50 minutes. */
async function openPage(minutes: number, targetMinutes = 50) {
  vi.useFakeTimers({ now: minutesAfter(minutes), toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })
  const queryClient = new QueryClient()
  const openSession = { id: 'a', startedAt: minutesAfter(0).toISOString(), endedAt: null, targetMinutes }
  const read = { openSession, forgottenSession: null, version: 1, serverTime: minutesAfter(minutes).toISOString() }
  const today = {
    date: '2026-06-15',
    dayOfWeek: 1,
    startsAt: minutesAfter(-60),
    endsAt: minutesAfter(600),
    savedSeconds: 0,
  }
  queryClient.setQueryDefaults([readHome.path], { staleTime: Number.POSITIVE_INFINITY })
  queryClient.setQueryData([readHome.path, currentTimeZone()], { ...read, today })
  return render(
    <QueryClientProvider client={queryClient}>
      <EndSignal />
    </QueryClientProvider>,
  )
}
/** Lets that many minutes pass, then a second in which the page runs. */
async function pass(minutes: number) {
  vi.setSystemTime(Date.now() + minutes * 60_000)
  vi.advanceTimersByTime(1_000)
  await new Promise((resolve) => setTimeout(resolve))
}

describe('at the end of a target', () => {
  test('nothing is given until its user switches it on', async () => {
    await openPage(49)
    await pass(2)
    // Later, it would count for the next test.
    await expect.poll(() => localStorage.getItem('deeb.end-signalled')).toBe('a 50')
    expect(given).toEqual([])
  })

  test.each([
    ['Sound at the end', ['note', 'note']],
    ['Notification at the end', ['50 minutes reached']],
    ['Vibration at the end', ['200,200,200 ms']],
  ])('%s is given on its own, and once', async (name, signals) => {
    await switchOn(name)
    await openPage(49)
    await pass(0.5)
    expect(given).toEqual([])
    await pass(1)
    await pass(1)
    await expect.poll(() => given).toEqual(signals)
  })

  test('one of two tabs gives it', async () => {
    await switchOn('Notification at the end')
    await openPage(49)
    await openPage(49)
    await pass(2)
    await expect.poll(() => given).toEqual(['50 minutes reached'])
  })

  test('nothing is given on a page that opens after it, or sleeps past it for long', async () => {
    await switchOn('Notification at the end')
    await openPage(51)
    await pass(1)
    await openPage(10, 25)
    await pass(60)
    expect(given).toEqual([])
  })
})

describe('the settings', () => {
  test('are off at first, ask for no permission, and show what the platform has', async () => {
    await render(<EndSignalSettings />)
    for (const name of ['Sound', 'Vibration', 'Notification']) await expect.element(setting(name)).not.toBeChecked()
    await setting('Sound').click()
    await expect.element(setting('Sound')).toBeChecked()
    expect(requestPermission).not.toHaveBeenCalled()
    await setting('Sound').click()
    await expect.element(setting('Sound')).not.toBeChecked()
  })

  test('leave out what the platform lacks', async () => {
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: false } as MediaQueryList)
    vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false)
    await render(<EndSignalSettings />)
    expect(page.getByRole('switch').elements()).toHaveLength(1)
  })

  test('say when the browser blocks notifications, and the switch stays off', async () => {
    permission = 'denied'
    await render(<EndSignalSettings />)
    await setting('Notification').click()
    await expect.element(page.getByText(/Notifications are blocked/)).toBeVisible()
    await expect.element(setting('Notification')).not.toBeChecked()
    expect(localStorage.getItem('deeb.end-signals')).toBeNull()
  })

  test('show a notification as off after its permission was taken away', async () => {
    await switchOn('Notification at the end')
    permission = 'denied'
    await render(<EndSignalSettings />)
    await expect.element(page.getByRole('switch', { name: 'Notification' }).last()).not.toBeChecked()
  })
})
