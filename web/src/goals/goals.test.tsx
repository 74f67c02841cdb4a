import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { readHome } from '@deeb/core/home/api'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { currentTimeZone } from '../device/local-time.ts'
import { HOME } from '../testing/mock-api.ts'
import { button, expectFailure, openScreen } from '../testing/open-screen.tsx'
import GoalSettingsScreen from './GoalSettingsScreen.tsx'

const SAVE = 'PUT /api/goals'
const NOT_LOADED = 'Your goals could not be loaded'
const everyDay = (goalMinutes: number) => Array.from({ length: 7 }, (_, dayOfWeek) => ({ dayOfWeek, goalMinutes }))
const withGoals = (goalMinutes: number) => ({ ...HOME, goals: everyDay(goalMinutes) })
const START = window.location.href

afterEach(() => window.history.replaceState(null, '', START))

const save = () => button('Save Goals')
const day = (name: string) => button(name)
const wheel = (name: string) => page.getByRole('listbox', { name })
const status = (text: string) => page.getByRole('status').filter({ hasText: text })

/** Presses a key on the wheel of the open row. */
async function press(name: string, key: string): Promise<void> {
  await expect.element(wheel(name)).toBeVisible()
  wheel(name)
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

/** The screen with the goals that the server saves. */
async function openGoals(goalMinutes = 60) {
  const screen = await openScreen(<GoalSettingsScreen />, {
    'GET /api/home': withGoals(goalMinutes),
    [SAVE]: (body) => {
      const { goals } = body as { goals: ReturnType<typeof everyDay> }
      screen.answers['GET /api/home'] = { ...HOME, goals }
      return { goals }
    },
  })
  await expect.element(save()).toBeEnabled()
  /** The saved goals, from Monday to Sunday. */
  const saved = () =>
    (screen.bodies(SAVE) as { goals: ReturnType<typeof everyDay> }[]).map(({ goals }) =>
      goals.map(({ goalMinutes }) => goalMinutes),
    )
  return { ...screen, saved }
}

/** Turns Monday from 1h to 2h. */
async function changeMonday(): Promise<void> {
  await day('Mo 1h 0m').click()
  await press('Hours', 'ArrowDown')
  await expect.element(page.getByText('Not saved yet.')).toBeVisible()
}

test('a goal between the steps of the wheels is kept until its day is changed', async () => {
  const { saved } = await openGoals(478)
  await day('Mo 7h 58m').click()
  // The nearest step: 8h 0m.
  const chosen = (name: string) => wheel(name).getByRole('option', { selected: true })
  await expect.element(chosen('Hours')).toHaveTextContent(/^8$/)
  await expect.element(chosen('Minutes')).toHaveTextContent(/^0$/)
  await day('Tu 7h 58m').click()
  await press('Minutes', 'ArrowDown')
  await expect.element(day('Tu 8h 5m')).toBeVisible()
  await save().click()
  await expect.element(page.getByText('Goals saved!')).toBeVisible()
  expect(saved()).toEqual([[478, 485, 478, 478, 478, 478, 478]])
})

test.each(['never loaded', 'loaded on an earlier screen'])(
  'goals that were %s cannot be overwritten until they are read',
  async (when) => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    if (when !== 'never loaded') queryClient.setQueryData([readHome.path, currentTimeZone()], HOME)
    const { answers } = await openScreen(<GoalSettingsScreen />, { 'GET /api/home': 'unavailable' }, queryClient)
    await expect.element(page.getByText(NOT_LOADED)).toBeVisible()
    if (when === 'never loaded') {
      await expect.element(page.getByRole('button', { name: /^Mo/ })).not.toBeInTheDocument()
      await expect.element(save()).not.toBeInTheDocument()
    } else {
      await expect.element(day('Mo 1h 0m')).toBeVisible()
      await expect.element(save()).toBeDisabled()
    }
    answers['GET /api/home'] = HOME
    await button('Try again').click()
    await expect.element(day('Mo 1h 0m')).toBeVisible()
    await expect.element(save()).toBeEnabled()
    await expect.element(page.getByText(NOT_LOADED)).not.toBeInTheDocument()
  },
)

test('a failed save stays at the button and keeps the chosen values', async () => {
  const { answers } = await openGoals()
  await changeMonday()
  answers[SAVE] = 'unavailable'
  await save().click()
  await expectFailure('Failed to save goals. Please try again.')
  await expect.element(day('Mo 2h 0m')).toBeVisible()
})

test('goals that are not saved are kept when the screen is left, and can be saved from the next one', async () => {
  const { saved, show } = await openGoals()
  await changeMonday()
  await show(<h1>Profile</h1>)
  await expect.element(status('Changes kept')).toBeVisible()
  await button('Save').click()
  await expect.element(page.getByText('Goals saved!')).toBeVisible()
  expect(saved()).toEqual([[120, 60, 60, 60, 60, 60, 60]])
  await show(<GoalSettingsScreen />)
  await expect.element(day('Mo 2h 0m')).toBeVisible()
  await expect.element(page.getByText('Not saved yet.')).not.toBeInTheDocument()
})

test('goals that are not saved can be discarded', async () => {
  const { show } = await openGoals()
  await changeMonday()
  await button('Discard changes').click()
  await expect.element(day('Mo 1h 0m')).toBeVisible()
  await show(<h1>Profile</h1>)
  await expect.element(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  expect(page.getByText('Changes kept').query()).toBeNull()
})

test('a wheel that was turned back leaves nothing to save', async () => {
  const { show } = await openGoals()
  await changeMonday()
  await press('Hours', 'ArrowUp')
  await expect.element(page.getByText('Not saved yet.')).not.toBeInTheDocument()
  await show(<h1>Profile</h1>)
  await expect.element(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  expect(page.getByText('Changes kept').query()).toBeNull()
})

test('a goal is given to all days or to the weekdays, also after quick keys', async () => {
  const { saved } = await openGoals()
  await day('We 1h 0m').click()
  await expect.element(wheel('Hours')).toBeVisible()
  // Six quick keys. None is lost if the wheel stops between them.
  for (let key = 0; key < 6; key++) {
    await press('Hours', 'ArrowDown')
    wheel('Hours').element().dispatchEvent(new Event('scrollend'))
  }
  await button('Same for all days').click()
  await expect.element(status('All days: 7h 0m')).toBeInTheDocument()
  for (const name of ['Mo', 'Su']) await expect.element(day(`${name} 7h 0m`)).toBeVisible()
  await press('Hours', '6')
  await button('Same for weekdays').click()
  await expect.element(day('Mo 6h 0m')).toBeVisible()
  await day('Sa 7h 0m').click()
  await expect.element(button('Same for weekdays')).not.toBeInTheDocument()
  await save().click()
  await expect.element(page.getByText('Goals saved!')).toBeVisible()
  expect(saved()).toEqual([[360, 360, 360, 360, 360, 420, 420]])
})

test('a save that is answered after its user has left the screen navigates nobody, and a double click saves once', async () => {
  const { answers, saved, show } = await openGoals()
  const save = answers[SAVE] as (body: unknown) => object
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  answers[SAVE] = (body) => held.then(() => save(body))
  const press = () => (button('Save Goals').element() as HTMLElement).click()
  press()
  press()
  await show(<h1>Settings</h1>)
  release()
  await expect.element(page.getByText('Goals saved!')).toBeVisible()
  expect(window.location.href).toBe(START)
  expect(saved()).toHaveLength(1)
})
