import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import CalendarSettings from './CalendarSettings.tsx'

const [READ, CREATE, REMOVE] = ['GET /api/calendar', 'POST /api/calendar', 'POST /api/calendar/remove']
const PROVEN = { hasPassword: true, company: null, secondFactor: null, provenUntil: '2099-01-01T00:00:00.000Z' }
const LINK = { createdAt: '2020-06-15T09:00:00.000Z', lastReadAt: null }
const URL = 'https://deeb.example/cal/abc.ics'

const openCalendar = (link: object | null, answers: Parameters<typeof openScreen>[1] = {}) =>
  openScreen(<CalendarSettings />, { 'GET /api/account/sign-in': PROVEN, [READ]: { link }, ...answers })
const shown = () => dialog('Your calendar link')

test('a link is created once by a double click, shown once, and then says that nobody has read it', async () => {
  const { answers, bodies, container } = await openCalendar(null, { [CREATE]: 'unavailable' })
  await button('How safe is this?').click()
  await expect.element(page.getByText(/^Everyone with the link can read/)).toBeVisible()
  await button('Create link').click()
  await expectFailure('The link could not be created. Please try again.')
  answers[CREATE] = 'too_many_attempts'
  await button('Create link').click()
  await expectFailure('Too many new links. Wait a while and try again.')
  answers[CREATE] = { url: URL }
  answers[READ] = { link: LINK }
  await button('Create link').dblClick()
  await expect.element(shown().getByLabelText('Link')).toHaveValue(URL)
  await shown().getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText(/No calendar has read it yet\.$/)).toBeVisible()
  expect(bodies(CREATE)).toHaveLength(3)
  expect(container.innerHTML).not.toContain('/cal/')
})

test('a link that was read says when, and is replaced after a question', async () => {
  const { bodies } = await openCalendar({ ...LINK, lastReadAt: LINK.createdAt }, { [CREATE]: { url: URL } })
  await expect.element(page.getByText(/Last read at about/)).toBeVisible()
  await button('Replace').click()
  const question = dialog('Replace the link?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(bodies(CREATE)).toEqual([])
  await button('Replace').click()
  await question.getByRole('button', { name: 'Replace' }).click()
  await expect.element(shown().getByLabelText('Link')).toHaveValue(URL)
  await expect.element(question).not.toBeInTheDocument()
})

test('a link that could not be removed keeps the question, and a removed one can be created again', async () => {
  const { answers } = await openCalendar(LINK, { [REMOVE]: 'unavailable' })
  await button('Remove').click()
  const question = dialog('Remove the link?')
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect.element(question.getByText('The link could not be removed. Please try again.').first()).toBeVisible()
  answers[REMOVE] = { removed: true }
  answers[READ] = { link: null }
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByText('Link removed')).toBeVisible()
  await expect.element(button('Create link')).toBeVisible()
})

test('a link outlives the sign-in, so its creation asks who it is, and nothing is created after a cancel', async () => {
  const { bodies } = await openCalendar(null, { [CREATE]: 'proof_needed' })
  await button('Create link').click()
  const proof = dialog('Show that it is you')
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(proof).not.toBeInTheDocument()
  expect(bodies(CREATE)).toHaveLength(1)
  await button('Create link').click()
  await expect.element(proof).toBeVisible()
})

test('a link that cannot be read can be tried again', async () => {
  const { answers } = await openCalendar(null, { [READ]: 'unavailable' })
  await expect.element(page.getByText('This could not be loaded.')).toBeVisible()
  expect(button('Create link').query()).toBeNull()
  answers[READ] = { link: LINK }
  await button('Try again').click()
  await expect.element(button('Replace')).toBeVisible()
})
