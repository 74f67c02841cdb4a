import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { HOME } from '../testing/mock-api.ts'
import { button, openScreen } from '../testing/open-screen.tsx'
import HomeScreen from './HomeScreen.tsx'

const moment = page.getByRole('region', { name: 'Your first full hour.' })

afterEach(() => localStorage.removeItem('deeb.first-hour'))

async function openHome(isFirstHour: boolean, home = {}) {
  await page.viewport(390, 844)
  return openScreen(<HomeScreen />, { 'GET /api/home': { ...HOME, ...home, today: { ...HOME.today, isFirstHour } } })
}

test('the first full hour shows a door sign beside the way to one, and never again once it is dismissed', async () => {
  const { show } = await openHome(true)
  await expect.element(moment).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  const link = moment.getByRole('link', { name: 'Put this outside your door' })
  await expect.element(link).toHaveAttribute('href', '/app/settings/sign')
  await button('Dismiss').click()
  await expect.element(moment).not.toBeInTheDocument()
  await show(<p>Elsewhere</p>)
  await expect.element(page.getByText('Elsewhere')).toBeVisible()
  await show(<HomeScreen />)
  await expect.element(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect.element(moment).not.toBeInTheDocument()
})

test('it waits for the end of a running session', async () => {
  const openSession = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: HOME.serverTime, endedAt: null }
  const { answers, queryClient } = await openHome(true, { openSession, version: 1 })
  await expect.element(page.getByRole('timer')).toBeVisible()
  await expect.element(moment).not.toBeInTheDocument()
  answers['GET /api/home'] = { ...HOME, today: { ...HOME.today, isFirstHour: true }, version: 2 }
  await queryClient.refetchQueries()
  await expect.element(moment).toBeVisible()
})

test('without it nothing is offered', async () => {
  await openHome(false)
  await expect.element(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect.element(moment).not.toBeInTheDocument()
})
