import '../testing/british.ts'
import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { readSessions } from '@deeb/core/sessions/read-api'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FOCUS_OFF, HOME } from '../testing/mock-api.ts'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import { emulateTimeZone } from '../ui/testing/emulated-time-zone.ts'
import SessionsScreen from './SessionsScreen.tsx'

const [READ, ADD, CORRECT] = ['GET /api/sessions', 'POST /api/sessions', 'PUT /api/sessions']
const [DISCARD, RESTORE] = ['POST /api/sessions/discard', 'POST /api/sessions/restore']

const idOf = (n: number) => `01890a5d-ac96-774b-bcce-b302099a805${n}`
const session = (n: number, startedAt: string, endedAt: string) => ({ id: idOf(n), startedAt, endedAt })
type Session = ReturnType<typeof session>

/** Edit sessions at a time of the server, which changes sessions as it is asked to, and refuses nothing. */
async function openSessions(now: string, ...sessions: Session[]) {
  const focus = { ...FOCUS_OFF, serverTime: now }
  const put = (changed: Session[]) => {
    screen.answers[READ] = { ...focus, sessions: changed }
  }
  const current = () => (screen.answers[READ] as { sessions: Session[] }).sessions
  const change = (body: unknown) => {
    const { sessionId, ...times } = body as { sessionId: string; startedAt?: string; endedAt?: string }
    const before = sessions.find(({ id }) => id === sessionId)
    const after = { id: sessionId, startedAt: '', endedAt: '', ...before, ...times }
    const { id, startedAt, endedAt } = after
    put([...current().filter((other) => other.id !== id), { id, startedAt, endedAt }])
    return { session: { id, startedAt, endedAt } }
  }
  const screen = await openScreen(<SessionsScreen />, {
    'GET /api/home': { ...HOME, ...focus },
    [READ]: { ...focus, sessions },
    [ADD]: change,
    [CORRECT]: change,
    [RESTORE]: change,
    [DISCARD]: (body) => {
      put(current().filter(({ id }) => id !== (body as { sessionId: string }).sessionId))
      return { discarded: true }
    },
  })
  await expect.element(button('Add a session')).toBeVisible()
  return screen
}

/** Monday 15 June 2026, 12:00 in Berlin, where this session was from 09:00 to 10:00. */
const NOON = '2026-06-15T10:00:00.000Z'
const MORNING = session(1, '2026-06-15T07:00:00.000Z', '2026-06-15T08:00:00.000Z')

async function openMorning(...others: Session[]) {
  await emulateTimeZone('Europe/Berlin')
  return openSessions(NOON, MORNING, ...others)
}

const row = (name: string | RegExp) => page.getByRole('button', { name })
const field = (name: string) => page.getByLabelText(name)
const adding = () => dialog('Add a session')

/** Fills the form of a missed session and presses Add. */
async function addSession(start: string, end: string): Promise<void> {
  await button('Add a session').click()
  await field('Start').fill(start)
  await field('End').fill(end)
  await button('Add').click()
}

test('an empty list explains that finished sessions appear there', async () => {
  await openSessions(NOON)
  await expect.element(page.getByText('No sessions yet.')).toBeVisible()
})

test('sessions under a minute are folded into one row, which stays open when one is deleted', async () => {
  const short = [1, 2, 3].map((n) => session(n, `2026-06-15T07:0${n}:00.000Z`, `2026-06-15T07:0${n}:10.000Z`))
  await openSessions(NOON, ...short)
  const fold = row('3 sessions under a minute')
  const rows = row(/\d+s$/)
  await expect.element(fold).toHaveAttribute('aria-expanded', 'false')
  expect(rows.elements()).toHaveLength(0)
  await fold.click()
  await expect.poll(() => rows.elements()).toHaveLength(3)
  await rows.first().click()
  await button('Delete').click()
  await expect.element(row('2 sessions under a minute')).toHaveAttribute('aria-expanded', 'true')
})

test('a correction sends the times that were changed, and a refused one is at its field', async () => {
  const { answers, bodies } = await openMorning()
  const save = answers[CORRECT] ?? ''
  await row(/1h 0m/).click()
  answers[CORRECT] = 'session_overlaps'
  await field('End').fill('2026-06-15T10:45')
  await button('Save').click()
  await expect.element(page.getByText('This overlaps another session.')).toBeVisible()
  answers[CORRECT] = save
  await field('End').fill('2026-06-15T09:31')
  await field('Start').fill('2026-06-15T09:01')
  await button('Save').click()
  await expect.element(page.getByText('Session saved')).toBeVisible()
  await expect.element(button('09:01–09:31 0h 30m')).toBeVisible()
  const times = { startedAt: '2026-06-15T07:01:00.000Z', endedAt: '2026-06-15T07:31:00.000Z' }
  expect(bodies(CORRECT).at(-1)).toEqual({ sessionId: MORNING.id, ...times })
})

test('a correction of the interruptions sends their number alone', async () => {
  const { bodies } = await openMorning()
  await row(/1h 0m/).click()
  const count = page.getByRole('spinbutton', { name: 'Interruptions' })
  await expect.element(count).toHaveValue(0)
  await count.fill('3')
  await button('Save').click()
  await expect.element(page.getByText('Session saved')).toBeVisible()
  expect(bodies(CORRECT)).toEqual([{ sessionId: MORNING.id, interruptions: 3 }])
})

test('a start time that was changed back keeps its seconds', async () => {
  const afternoon = session(2, '2026-06-15T08:00:07.000Z', '2026-06-15T08:40:00.000Z')
  const { bodies } = await openMorning(afternoon)
  await row(/0h 39m/).click()
  await field('Start').fill('2026-06-15T09:10')
  await field('Start').fill('2026-06-15T10:00')
  await field('End').fill('2026-06-15T10:30')
  await button('Save').click()
  await expect.element(page.getByText('Session saved')).toBeVisible()
  expect(bodies(CORRECT)).toEqual([{ sessionId: afternoon.id, endedAt: '2026-06-15T08:30:00.000Z' }])
})

test('a correction changes only the edited field, also after a change on another device', async () => {
  const { answers, bodies, queryClient } = await openMorning()
  await row(/1h 0m/).click()
  await expect.element(field('Start')).toHaveValue('2026-06-15T09:00')
  const moved = { ...MORNING, startedAt: '2026-06-15T07:20:00.000Z' }
  answers[READ] = { ...FOCUS_OFF, serverTime: NOON, sessions: [moved] }
  await queryClient.invalidateQueries({ queryKey: [readSessions.path] })
  await expect.element(row(/09:20–10:00/)).toBeVisible()
  await expect.element(field('Start')).toHaveValue('2026-06-15T09:20')
  await field('End').fill('2026-06-15T10:10')
  await button('Save').click()
  await expect.element(page.getByText('Session saved')).toBeVisible()
  expect(bodies(CORRECT)).toEqual([{ sessionId: MORNING.id, endedAt: '2026-06-15T08:10:00.000Z' }])
  // As the row with the new times has it.
  await expect.poll(() => document.activeElement?.getAttribute('aria-expanded')).toBe('false')
})

test('a time that occurs twice is the occurrence that the user chooses', async () => {
  await emulateTimeZone('Europe/Berlin')
  // Sunday 25 October 2026: at 03:00 the clocks go back to 02:00.
  const night = session(1, '2026-10-24T23:30:00.000Z', '2026-10-25T02:30:00.000Z')
  const { bodies } = await openSessions('2026-10-25T11:00:00.000Z', night)
  await row(/3h 0m/).click()
  await field('End').fill('2026-10-25T02:50')
  await page.getByRole('radio', { name: /CEST|GMT\+2/ }).click()
  await button('Save').click()
  await expect.element(row(/–02:50 1h 20m/)).toBeVisible()
  await row(/–02:50/).click()
  await page.getByRole('radio', { name: /CET|GMT\+1/ }).click()
  await button('Save').click()
  await expect.element(row(/–02:50 2h 20m/)).toBeVisible()
  const ends = bodies(CORRECT).map((body) => (body as Session).endedAt)
  expect(ends).toEqual(['2026-10-25T00:50:00.000Z', '2026-10-25T01:50:00.000Z'])
})

test('a deleted session can be restored, and its row has the times', async () => {
  await openMorning()
  await row(/1h 0m/).click()
  await button('Delete').click()
  await expect.element(page.getByText('Monday 15 June, 09:00–10:00')).toBeVisible()
  await expect.element(row(/1h 0m/)).not.toBeInTheDocument()
  await button('Undo').click()
  await expect.element(page.getByText('Session restored')).toBeVisible()
  await expect.element(row(/1h 0m/)).toBeVisible()
})

test('after a deletion with the keyboard the focus is on Undo', async () => {
  await openMorning()
  ;(row(/1h 0m/).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Delete')).toBeVisible()
  ;(button('Delete').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Undo')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(row(/1h 0m/)).toBeVisible()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
})

test('an undo that fails can be tried again, one into taken time is refused', async () => {
  const { answers } = await openMorning()
  const restore = answers[RESTORE] ?? ''
  await row(/1h 0m/).click()
  await button('Delete').click()
  answers[RESTORE] = 'unavailable'
  await button('Undo').click()
  await expect.element(page.getByText('Not restored')).toBeVisible()
  answers[RESTORE] = restore
  await button('Try again').click()
  await expect.element(page.getByText('Session restored')).toBeVisible()

  await row(/1h 0m/).click()
  await button('Delete').click()
  answers[RESTORE] = 'session_overlaps'
  await button('Undo').click()
  const alert = page.getByRole('alert')
  await expect.element(alert).toHaveTextContent('Another session has its time now, so it stays deleted.')
})

test('a session stays when its deletion fails', async () => {
  const { answers } = await openMorning()
  answers[DISCARD] = 'unavailable'
  await row(/1h 0m/).click()
  await button('Delete').click()
  await expectFailure('Failed to delete the session. Please try again.')
  await expect.element(row(/1h 0m/)).toBeVisible()
})

test('a missed session shows each error at its field', async () => {
  const { answers, bodies } = await openMorning()
  const add = answers[ADD] ?? ''
  answers[ADD] = 'session_overlaps'
  await addSession('', '')
  await expect.element(page.getByText('Enter the start time.')).toBeVisible()
  for (const [start, end, error] of [
    ['08:00', '', 'Enter the end time.'],
    ['08:00', '07:00', 'The end must be after the start.'],
    ['08:00', '13:00', 'The end cannot be in the future.'],
    ['08:00', '09:30', 'This overlaps another session.'],
  ] as const) {
    await field('Start').fill(start)
    await field('End').fill(end)
    await button('Add').click()
    await expect.element(page.getByText(error)).toBeVisible()
  }
  await field('Day').fill('2026-06-08')
  await field('End').fill('08:30')
  await button('Add').click()
  await expect.element(page.getByText('The start must be within the last 7 days.')).toBeVisible()
  answers[ADD] = add
  await field('Day').fill('2026-06-15')
  await button('Add').click()
  await expect.element(page.getByText('Session added')).toBeVisible()
  await expect.element(adding()).not.toBeInTheDocument()
  await expect.element(button('08:00–08:30 0h 30m')).toBeVisible()
  // The server refused the one before.
  expect(bodies(ADD)).toHaveLength(2)
})

test('a missed session begins right after another one, which ended in the middle of that minute', async () => {
  const ended = { ...MORNING, endedAt: '2026-06-15T08:00:20.000Z' }
  await emulateTimeZone('Europe/Berlin')
  const { bodies } = await openSessions(NOON, ended)
  await addSession('10:00', '10:15')
  await expect.element(button('10:00–10:15 0h 14m')).toBeVisible()
  expect(bodies(ADD)).toMatchObject([{ startedAt: ended.endedAt }])
})

test('a missed session over midnight says on which day it ends', async () => {
  const { bodies } = await openMorning()
  await button('Add a session').click()
  await field('Day').fill('2026-06-14')
  await field('Start').fill('23:00')
  await field('End').fill('00:30')
  await expect.element(page.getByText('On Monday 15 June.')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('23:00–00:30 1h 30m')).toBeVisible()
  const times = { startedAt: '2026-06-14T21:00:00.000Z', endedAt: '2026-06-14T22:30:00.000Z' }
  expect(bodies(ADD)).toMatchObject([{ ...times, timeZone: 'Europe/Berlin' }])
})

test.each([
  ['the last hour', '10:30', '11:00', '12:00'],
  ['what is free of the last hour', '11:20', '11:20', '12:00'],
])('a missed session begins with %s', async (_, ended, start, end) => {
  await openMorning(session(2, '2026-06-15T08:00:00.000Z', new Date(`2026-06-15T${ended}:00+02:00`).toISOString()))
  await button('Add a session').click()
  await expect.element(field('Day')).toHaveValue('2026-06-15')
  await expect.element(field('Start')).toHaveValue(start)
  await expect.element(field('End')).toHaveValue(end)
})

test('a missed session begins empty right after another one', async () => {
  await openMorning(session(2, '2026-06-15T08:00:00.000Z', '2026-06-15T09:58:00.000Z'))
  await button('Add a session').click()
  await expect.element(field('Start')).toHaveValue('')
  await expect.element(field('End')).toHaveValue('')
})

test('a missed session begins empty during another one', async () => {
  const { answers, queryClient } = await openMorning()
  answers[READ] = { ...(answers[READ] as object), openSession: { ...MORNING, id: idOf(2), endedAt: null } }
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('A running session can be edited once it ends.', { exact: false })).toBeVisible()
  await button('Add a session').click()
  await expect.element(field('Start')).toHaveValue('')
})

test('a missed session whose answer was lost is sent again with the same id (idempotency key)', async () => {
  const { answers, bodies } = await openMorning()
  const add = answers[ADD] as (body: unknown) => object
  answers[ADD] = (body) => {
    add(body)
    return 'unavailable'
  }
  await addSession('08:00', '08:30')
  await expectFailure('Failed to add the session. Please try again.')
  answers[ADD] = add
  await button('Add').click()
  await expect.element(page.getByText('Session added')).toBeVisible()
  await expect.poll(() => button('08:00–08:30 0h 30m').elements()).toHaveLength(1)
  const [first, second] = bodies(ADD) as { sessionId: string }[]
  expect(second).toEqual(first)
})

test('a missed session ends at the chosen one of two times when the clocks go back', async () => {
  await emulateTimeZone('Europe/Berlin')
  await openSessions('2026-10-25T11:00:00.000Z')
  await button('Add a session').click()
  await field('Start').fill('01:30')
  await field('End').fill('02:30')
  await page.getByRole('radio', { name: /CET|GMT\+1/ }).click()
  await button('Add').click()
  await expect.element(button('01:30–02:30 2h 0m')).toBeVisible()
})

test('a missed session visibly ends an hour later when its time is skipped', async () => {
  await emulateTimeZone('Europe/Berlin')
  await openSessions('2026-03-29T10:00:00.000Z')
  await button('Add a session').click()
  await field('Start').fill('01:30')
  await field('End').fill('02:30')
  await expect.element(field('End')).toHaveValue('03:30')
  await button('Add').click()
  await expect.element(button('01:30–03:30 1h 0m')).toBeVisible()
})

/** The strip of each day: its pieces, in hours of the clock. */
function strips(): [from: number, to: number][][] {
  return [...document.querySelectorAll('section > svg')].map((strip) =>
    [...strip.querySelectorAll('rect')].map(({ x, width }) => [x.baseVal.value, x.baseVal.value + width.baseVal.value]),
  )
}

test('the strip of a day has what sessions have of it, also of one over midnight', async () => {
  const overMidnight = session(2, '2026-06-14T21:00:00.000Z', '2026-06-15T00:30:00.000Z')
  await openMorning(overMidnight)
  expect(strips()).toEqual([
    [
      [9, 10],
      [0, 2.5],
    ],
    [[23, 24]],
  ])
})

test.each([
  ['is short', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z', [[1.5, 3.5]]],
  ['has an hour twice', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', []],
  ['has an hour twice, later', '2026-10-25T02:00:00.000Z', '2026-10-25T03:00:00.000Z', [[3, 4]]],
])('the strip of a day that %s follows the clock', async (_what, from, to, shown) => {
  await emulateTimeZone('Europe/Berlin')
  await openSessions(to, session(1, from, to))
  expect(strips()).toEqual([shown])
})
