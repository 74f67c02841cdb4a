import '../testing/signed-in.ts'
import '../ui/tokens.css'
import '../home/home.css'
import type { TakingPart } from '@deeb/core/circles/quiet-api'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import CirclesScreen from '../circles/CirclesScreen.tsx'
import { useHome } from '../focus/day-queries.ts'
import { discardPending, pendingOf } from '../focus/queue/switch-queue.ts'
import BelowRing from '../home/BelowRing.tsx'
import { HOME } from '../testing/mock-api.ts'
import { button, dialog, openScreen } from '../testing/open-screen.tsx'
import { calendarFile } from './calendar-file.ts'
import QuietSwitch from './QuietSwitch.tsx'

const { id: MARA } = HOME.profile
const ID = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const SESSION = '01890a5d-ac96-874b-8cce-b302099a8057'
/** The server's clock shows 9:00 when the page opens. */
const at = (seconds: number) => new Date(Date.parse(HOME.serverTime) + seconds * 1000).toISOString()

const QUIET = { circleId: ID, circle: 'Backend', startsAt: at(-600), endsAt: at(3600), switchOnId: null }
const LINE = /^Quiet time of Backend until /

function Shown() {
  const { data } = useHome()
  return data ? (
    <div className="home-status">
      <BelowRing home={data} elapsedSeconds={0} />
      <QuietSwitch userId={MARA} />
    </div>
  ) : null
}

const openHome = (quiet: object[], home: object = {}) =>
  openScreen(<Shown />, { 'GET /api/home': { ...HOME, ...home, quiet } })
const line = () => page.getByText(LINE)

afterEach(() => discardPending(MARA))

test('Home says until when a quiet time is, and switches on until then', async () => {
  await openHome([QUIET, { ...QUIET, startsAt: at(7200), endsAt: at(9000) }])
  await expect.element(line()).toBeVisible()
  expect(pendingOf(MARA)).toEqual([])
  await button('Switch on').click()
  await expect.poll(() => pendingOf(MARA)).toMatchObject([{ to: 'on', targetMinutes: 60 }])
})

test('the line comes at the start and goes at the end; in deeb mode there is none', async () => {
  const { answers } = await openHome([{ ...QUIET, startsAt: at(1.5), endsAt: at(4) }])
  await expect.element(page.elementLocator(document.body)).not.toHaveTextContent('Quiet time')
  await expect.element(line(), { timeout: 5000 }).toBeVisible()
  await expect.element(line(), { timeout: 5000 }).not.toBeInTheDocument()
  expect(answers).toBeDefined()
})

test('somebody who has just touched the page is switched on at the start, in the session of all devices', async () => {
  await openHome([{ ...QUIET, startsAt: at(1.5), switchOnId: SESSION }])
  await userEvent.keyboard('{Tab}')
  await expect
    .poll(() => pendingOf(MARA), { timeout: 5000 })
    .toMatchObject([{ to: 'on', sessionId: SESSION, targetMinutes: 60 }])
})

test('nobody is switched on who has not touched the page', async () => {
  await openHome([{ ...QUIET, startsAt: at(1.5), switchOnId: SESSION }])
  await expect.element(line(), { timeout: 5000 }).toBeVisible()
  expect(pendingOf(MARA)).toEqual([])
})

test('nobody is switched on minutes after the start', async () => {
  await openHome([{ ...QUIET, switchOnId: SESSION }])
  await userEvent.keyboard('{Tab}')
  await expect.element(line()).toBeVisible()
  expect(pendingOf(MARA)).toEqual([])
})

const OWN = { takesPart: false, notifies: false, switchesOn: false, skips: false }
const circleWith = (quiet: object, isKeeper = true) => ({
  circles: [
    {
      ...{ id: ID, name: 'Backend', invite: null, isKeeper, visibleFrom: HOME.serverTime, people: [] },
      quiet: { timeZone: 'Europe/Berlin', times: [], ...OWN, ...quiet },
    },
  ],
  ...{ hidden: [], circleSize: 50 },
})
const openCircle = async (circles: object) => {
  const screen = await openScreen(<CirclesScreen />, {
    'GET /api/circles': circles,
    'GET /api/home': HOME,
    'POST /api/circles/quiet-times': (body: unknown) => ({ times: (body as { times: object }).times }),
    'POST /api/circles/quiet-times/own': (body: unknown) => {
      const { takesPart = true, notifies = false, switchesOn = false } = body as Partial<TakingPart>
      return { takesPart, notifies, switchesOn }
    },
  })
  return screen
}

test('the keeper sets quiet times; what is not possible is refused with the reason', async () => {
  const { bodies } = await openCircle(circleWith({}))
  await button('Set quiet times').click()
  const day = (name: string) => dialog('Quiet times of Backend').getByRole('checkbox', { name })
  await expect.element(day('Tuesday')).toBeChecked()
  await dialog('Quiet times of Backend').getByLabelText('To', { exact: true }).fill('08:00')
  await button('Save').click()
  const fault = dialog('Quiet times of Backend').getByText('Choose at least one day')
  await expect.element(fault).toBeVisible()
  await dialog('Quiet times of Backend').getByLabelText('To', { exact: true }).fill('10:30')
  await expect.element(fault).not.toBeInTheDocument()
  await button('Add a time').click()
  await button('Save').click()
  await expect.element(fault).toBeVisible()
  await button('Remove Quiet time 2').click()
  await dialog('Quiet times of Backend').getByText('Tu', { exact: true }).click()
  await button('Save').click()
  await expect
    .poll(() => bodies('POST /api/circles/quiet-times'))
    .toEqual([{ circleId: ID, timeZone: 'Europe/Berlin', times: [{ days: [4], from: 540, to: 630 }] }])
})

test('a member sees the times and takes part by one press; the rest follows', async () => {
  const times = [
    { days: [2, 4], from: 540, to: 660 },
    { days: [0, 1, 2, 3, 4, 5, 6], from: 780, to: 840 },
  ]
  const { answers, bodies } = await openCircle(circleWith({ times }, false))
  await expect.element(page.getByText(/^Tu, Th, 0?9:00.* to 11:00/)).toBeVisible()
  await expect.element(page.getByText(/^Every day, (1|13):00.* to (2|14):00/)).toBeVisible()
  await expect.element(button('Change quiet times')).not.toBeInTheDocument()
  await expect.element(page.getByRole('switch', { name: 'Switch on by itself' })).not.toBeInTheDocument()
  answers['GET /api/circles'] = circleWith({ times, takesPart: true }, false)
  await page.getByRole('switch', { name: 'Take part' }).click()
  await expect.element(page.getByRole('switch', { name: 'Switch on by itself' })).toBeVisible()
  expect(bodies('POST /api/circles/quiet-times/own')).toEqual([{ circleId: ID, takesPart: true }])
})

test('switching on by itself names the times that the page shows; a change of them is said', async () => {
  const times = [{ days: [2, 4], from: 540, to: 660 }]
  const { answers, bodies } = await openCircle(circleWith({ times, takesPart: true }, false))
  answers['POST /api/circles/quiet-times/own'] = 'quiet_times_changed'
  await page.getByRole('switch', { name: 'Switch on by itself' }).click()
  await expect.element(page.getByText('The quiet times have changed. Please look at them again.')).toBeVisible()
  expect(bodies('POST /api/circles/quiet-times/own')).toEqual([
    { circleId: ID, switchesOn: true, agreedTo: { timeZone: 'Europe/Berlin', times } },
  ])
})

test('a quiet time that switches on does so during another one', async () => {
  const longer = { ...QUIET, circleId: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', endsAt: at(7200) }
  await openHome([longer, { ...QUIET, startsAt: at(1.5), switchOnId: SESSION }])
  await userEvent.keyboard('{Shift}')
  await expect.poll(() => pendingOf(MARA), { timeout: 5000 }).toMatchObject([{ to: 'on', sessionId: SESSION }])
})

test('the calendar file has a weekly event for each, by the clock of the circle', () => {
  const text = calendarFile(
    ID,
    'Europe/Berlin',
    [{ days: [2, 4], from: 540, to: 660 }],
    new Date('2026-12-02T12:00:00Z'),
  )
  expect(text.split('\r\n')).toEqual(
    expect.arrayContaining([
      'DTSTART;TZID=Europe/Berlin:20261203T090000',
      'DTEND;TZID=Europe/Berlin:20261203T110000',
      'RRULE:FREQ=WEEKLY;BYDAY=TU,TH',
    ]),
  )
})

test('a calendar file that is saved before the night of the change has the hours of all other weeks', () => {
  const times = [{ days: [0], from: 150, to: 210 }]
  const text = calendarFile(ID, 'Europe/Berlin', times, new Date('2027-03-25T12:00:00Z'))
  expect(text).toContain('DTSTART;TZID=Europe/Berlin:20270328T023000\r\nDTEND;TZID=Europe/Berlin:20270328T033000')
})
