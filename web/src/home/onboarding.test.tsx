import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { HOME } from '../testing/mock-api.ts'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import HomeScreen from './HomeScreen.tsx'

const SET_USERNAME = 'PUT /api/profile/username'
const SET_GOALS = 'PUT /api/goals'
const NEW = { ...HOME, profile: { ...HOME.profile, username: null }, goals: [] }

const welcome = () => dialog('Welcome to deeb!')
const goals = () => dialog('Set Your Daily Goals')
const username = () => page.getByLabelText('Username')

/** Home of a new user, with the changes that the server saves. */
async function openHome(home: object = NEW) {
  const save = (change: (home: object) => object) => {
    screen.answers['GET /api/home'] = change(screen.answers['GET /api/home'] as object)
  }
  const screen = await openScreen(<HomeScreen />, {
    'GET /api/home': home,
    [SET_USERNAME]: (body) => {
      const { username } = body as { username: string }
      save((home) => ({ ...home, profile: { ...HOME.profile, username: username.trim() } }))
      return { username: username.trim() }
    },
    [SET_GOALS]: (body) => {
      const { goals } = body as { goals: object[] }
      save((home) => ({ ...home, goals }))
      return { goals }
    },
  })
  return screen
}

/** The goals that were sent, of any day. */
const minutesOf = (bodies: unknown[]) =>
  (bodies as { goals: { dayOfWeek: number; goalMinutes: number }[] }[]).map(({ goals }) =>
    goals.map(({ goalMinutes }) => goalMinutes),
  )

test('the two dialogs stay open until they are answered', async () => {
  await openHome()
  await expect.element(username()).toHaveFocus()
  for (let press = 0; press < 10; press++) await userEvent.keyboard('{Escape}')
  await expect.element(welcome()).toBeVisible()
  await username().fill('   ')
  await expect.element(button('Continue')).toBeDisabled()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Username required')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please enter a username to continue.')
  await username().fill('mara')
  await userEvent.keyboard('{Enter}')

  await expect.element(goals()).toBeVisible()
  for (let press = 0; press < 10; press++) await userEvent.keyboard('{Escape}')
  await expect.element(goals()).toBeVisible()
  await button('Skip (1h daily)').click()
  await expect.element(page.getByText('Default goals set')).toBeVisible()
  await expect.element(page.getByText("Today's Goal: 1h 0m")).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('before the first session the ring is empty, and a hint is beside the switch', async () => {
  const { answers, queryClient } = await openHome({ ...HOME, hasSessions: false })
  await expect.element(page.getByText('Press to start')).toBeVisible()
  expect(document.querySelectorAll('.ring-arc')).toHaveLength(0)
  answers['GET /api/home'] = HOME
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('Press to start')).not.toBeInTheDocument()
})

test('one tap answers each dialog: the username is suggested, and the goals are an hour a day', async () => {
  const { bodies } = await openHome()
  await expect.element(username()).toHaveValue('Mara')
  await button('Continue').click()
  await expect.element(goals().getByLabelText('Every day')).toHaveValue(60)
  expect(goals().getByRole('spinbutton').elements()).toHaveLength(1)
  await button('Save Goals').click()
  await expect.element(page.getByText('Goals set successfully')).toBeVisible()
  expect(bodies(SET_USERNAME)).toEqual([{ username: 'Mara' }])
  expect(minutesOf(bodies(SET_GOALS))).toEqual([[60, 60, 60, 60, 60, 60, 60]])
})

test('somebody without a first name is suggested the name of the address', async () => {
  const profile = { ...NEW.profile, firstName: null, lastName: null, email: 'cleo@fjordlab.example' }
  await openHome({ ...NEW, profile })
  await expect.element(username()).toHaveValue('cleo')
})

test('a press beside the first dialog does not close it', async () => {
  await openHome()
  await expect.element(welcome()).toBeVisible()
  await userEvent.click(welcome(), { position: { x: -10, y: -10 }, force: true })
  await expect.element(welcome()).toBeVisible()
})

test('a taken username is refused, and the field keeps the text', async () => {
  const { answers } = await openHome()
  const save = answers[SET_USERNAME] ?? ''
  answers[SET_USERNAME] = 'username_taken'
  await username().fill('MARA')
  await button('Continue').click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Username taken')
  await expectFailure('This username is already taken. Please choose another one.')
  await expect.element(username()).toHaveValue('MARA')
  answers[SET_USERNAME] = save
  await username().fill('noa')
  await button('Continue').click()
  await expect.element(goals()).toBeVisible()
})

test('a failed save keeps the dialogs open with the entered values', async () => {
  const { answers } = await openHome()
  const saveUsername = answers[SET_USERNAME] ?? ''
  answers[SET_USERNAME] = 'unavailable'
  await username().fill('mara')
  await userEvent.keyboard('{Enter}')
  await expectFailure('Failed to set username')
  await expect.element(username()).toHaveValue('mara')
  answers[SET_USERNAME] = saveUsername
  await button('Continue').click()

  answers[SET_GOALS] = 'unavailable'
  await goals().getByLabelText('Every day').fill('120')
  await button('Different days').click()
  await expect.element(goals().getByLabelText('Monday')).toHaveFocus()
  await expect.element(goals().getByLabelText('Monday')).toHaveValue(120)
  await goals().getByLabelText('Monday').fill('300')
  await button('Save Goals').click()
  await expectFailure('Failed to set daily goals. Please try again.')
  await expect.element(goals().getByLabelText('Monday')).toHaveValue(300)
  await button('Skip (1h daily)').click()
  await expectFailure('Failed to set default goals. Please try again.')
})

test('goals are clamped: no number and a negative one become 0', async () => {
  const { bodies } = await openHome({ ...NEW, profile: HOME.profile })
  await goals().getByLabelText('Every day').fill('-30')
  await expect.element(goals().getByLabelText('Every day')).toHaveValue(-30)
  await button('Different days').click()
  expect(goals().getByRole('spinbutton').elements()).toHaveLength(7)
  await expect.element(goals().getByLabelText('Monday')).toHaveValue(0)
  for (const field of goals().getByRole('spinbutton').all()) await field.fill('')
  await goals().getByLabelText('Sunday').fill('-30')
  await button('Save Goals').click()
  await expect.element(page.getByText("Today's Goal: 0h 0m")).toBeVisible()
  expect(minutesOf(bodies(SET_GOALS))).toEqual([[0, 0, 0, 0, 0, 0, 0]])
  await expect.element(page.getByText('get deeb')).toBeVisible()
  expect(page.getByText('%').query()).toBeNull()
})

test('the goals dialog stays closed after saving, even if the read after it fails', async () => {
  const { answers, calls } = await openHome({ ...NEW, profile: HOME.profile })
  await expect.element(goals()).toBeVisible()
  const save = answers[SET_GOALS] as (body: unknown) => object
  answers[SET_GOALS] = (body) => {
    const saved = save(body)
    answers['GET /api/home'] = 'unavailable'
    return saved
  }
  const reads = () => calls.filter(({ call }) => call === 'GET /api/home').length
  const before = reads()
  await button('Save Goals').click()
  await expect.element(page.getByText('Goals set successfully')).toBeVisible()
  await expect.poll(reads).toBeGreaterThan(before)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByText("Today's Goal: 1h 0m")).toBeVisible()
})

test('an open session counts at most 16 hours, and its part of today', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const openSession = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: hoursAgo(19), endedAt: null }
  // The last of its hours is in the new day, which began four hours ago.
  const today = { ...HOME.today, startsAt: hoursAgo(4), endsAt: hoursAgo(-20) }
  await openHome({ ...HOME, openSession, today, serverTime: hoursAgo(0) })
  await expect.element(page.getByRole('timer')).toHaveTextContent('16:00:00')
  await expect.element(page.getByRole('img', { name: /^(0 hours 59|1 hour 0) minutes .*today/ })).toBeVisible()
})
