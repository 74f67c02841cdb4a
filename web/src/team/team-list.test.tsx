import '../ui/tokens.css'
import './team.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Answers, FOCUS_OFF, HOME, mockApi } from '../testing/mock-api.ts'
import { withdrawFailures } from '../ui/toast.ts'
import { TeamList } from './TeamList.tsx'
import { refetchTeam, type Team } from './team-cache.ts'
import { useTeam } from './team-queries.ts'

const CIRCLES = {
  backend: { id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', name: 'Backend', visibleFrom: '2026-06-01T09:00:00.000Z' },
  choir: { id: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', name: 'Choir', visibleFrom: '2026-06-01T09:00:00.000Z' },
}
const LATER = '2026-06-16T09:00:00.000Z'

const idOf = (name: string) => `000000${name.charCodeAt(0)}-0000-4000-8000-000000000000`
const person = (name: string) => ({
  ...{ id: idOf(name), username: name.toLowerCase(), firstName: name, lastName: 'Berg' },
  email: `${name.toLowerCase()}.berg@fjordlab.example`,
})
const presence = (inDeebMode: boolean) => ({ inDeebMode, since: null, version: 1 })
const connection = (name: string, circleIds: string[] = []) => ({
  ...{ id: idOf(name), person: person(name), presence: presence(false), circleIds },
})
const seen = (name: string, circleIds: string[], inDeebMode = false) => ({
  ...{ person: person(name), presence: presence(inDeebMode), circleIds },
})

const TEAM: Team = {
  ...FOCUS_OFF,
  connections: [connection('Cleo', [CIRCLES.backend.id]), connection('Elif')],
  requests: [],
  sent: [],
  throughCircles: [
    seen('Ben', [CIRCLES.backend.id, CIRCLES.choir.id]),
    seen('Dan', [CIRCLES.choir.id]),
    seen('Zoe', [CIRCLES.backend.id], true),
  ],
  circles: [CIRCLES.backend, CIRCLES.choir],
  newcomers: [],
  circleSize: 50,
}
const ALONE: Team = { ...TEAM, connections: [], throughCircles: [], circles: [] }

afterEach(() => {
  vi.restoreAllMocks()
  withdrawFailures()
  localStorage.removeItem('deeb.newcomers-read-until')
})

function Screen({ query = '' }: { query?: string }) {
  const { data } = useTeam()
  return (
    <main>
      <h1 tabIndex={-1}>Team</h1>
      {data ? <TeamList team={data} query={query} view="list" onView={() => undefined} /> : null}
    </main>
  )
}

async function open(team: Team, query = '') {
  const answers: Answers = { 'GET /api/team': team, 'GET /api/home': HOME }
  const calls = mockApi(answers)
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const element = (
    <QueryClientProvider client={queryClient}>
      <Screen query={query} />
    </QueryClientProvider>
  )
  const screen = await render(element)
  return { answers, calls, screen, element, queryClient }
}

/** A toast would cover a button of the next test. */
const dismissToast = () => page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click()

const members = () => page.getByRole('list', { name: 'Team members' })
const row = (name: string) => members().getByRole('button', { name: new RegExp(`^${name} Berg`) })
const names = () =>
  members()
    .getByRole('listitem')
    .elements()
    .map((item) => item.textContent?.match(/[A-Z][a-z]+(?= Berg)/)?.[0])
const filter = (name: string) => page.getByRole('radio', { name })

test('one row a person: those in deeb mode first, then by name, with the circles after the address', async () => {
  await open(TEAM)
  await expect.poll(names).toEqual(['Zoe', 'Ben', 'Cleo', 'Dan', 'Elif'])
  await expect.element(row('Ben').getByText('Backend, Choir', { exact: true })).toBeVisible()
  await expect.element(row('Cleo').getByText('Backend', { exact: true })).toBeVisible()
  await expect.element(row('Elif').getByText('Backend')).not.toBeInTheDocument()
})

test('the filter is a radio group for the keyboard, announces its result, and is remembered', async () => {
  const { screen, element } = await open(TEAM)
  await expect.element(page.getByRole('group', { name: 'Show' })).toBeVisible()
  await expect.element(filter('All')).toBeChecked()
  filter('All').element().focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(filter('Choir')).toBeChecked()
  expect(names()).toEqual(['Ben', 'Dan'])
  await expect.element(page.getByText('2 shown in Choir')).toBeInTheDocument()
  await screen.rerender(<p>Home</p>)
  await screen.rerender(element)
  await expect.element(filter('Choir')).toBeChecked()
})

test('the filter shows everybody when its circle is gone', async () => {
  const { answers, queryClient } = await open(TEAM)
  await page.getByRole('group', { name: 'Show' }).getByText('Choir').click()
  expect(names()).toEqual(['Ben', 'Dan'])
  answers['GET /api/team'] = { ...TEAM, circles: [CIRCLES.backend] }
  refetchTeam(queryClient)
  await expect.element(filter('All')).toBeChecked()
  expect(names()).toHaveLength(5)
})

test('a search ignores the filter', async () => {
  await open(TEAM, 'berg')
  await expect.poll(names).toHaveLength(5)
  await expect.element(filter('All')).not.toBeInTheDocument()
})

test('somebody seen through circles only is hidden, not quit', async () => {
  const { answers, calls } = await open(TEAM)
  await row('Ben').click()
  await page.getByRole('dialog', { name: 'Ben' }).getByRole('button', { name: 'Hide from Ben' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hide from Ben?' })
  await expect
    .element(dialog)
    .toHaveAccessibleDescription("You no longer see each other's deeb mode in Backend and Choir. Ben is not told.")
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expect.element(dialog.getByText('This did not work. Please try again.').first()).toBeVisible()
  answers['POST /api/circles/hide'] = { isHidden: true }
  answers['GET /api/team'] = 'unavailable'
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expect.element(row('Ben')).not.toBeInTheDocument()
  await expect.element(page.getByText('Ben is hidden')).toBeVisible()
  const [sent] = calls.filter(({ call }) => call === 'POST /api/circles/hide')
  expect(sent?.body).toEqual({ userId: idOf('Ben'), isHidden: true })
  await dismissToast()
})

test('quitting a connection names the circles in which sight ends too', async () => {
  await open(TEAM)
  await row('Cleo').click()
  const cleo = page.getByRole('dialog', { name: 'Quit connection with Cleo?' })
  await expect.element(cleo).toHaveAccessibleDescription(/ You no longer see each other in Backend either\.$/)
  await cleo.getByRole('button', { name: 'Cancel' }).click()
  await row('Elif').click()
  const elif = page.getByRole('dialog', { name: 'Quit connection with Elif?' })
  await expect.element(elif).toHaveAccessibleDescription(/send a new request\.$/)
})

test('newcomers are announced, without connections, and more than two after a press', async () => {
  const newcomers = ['Ann', 'Flo', 'Gil', 'Elif'].map((name) => ({
    ...{ circleId: CIRCLES.choir.id, person: person(name), visibleFrom: LATER },
  }))
  await open({ ...TEAM, circles: [CIRCLES.backend, { ...CIRCLES.choir, visibleFrom: LATER }], newcomers })
  const list = page.getByRole('list', { name: 'Newcomers' })
  await expect.element(list.getByText(/^You joined Choir\. You and its members see each other from /)).toBeVisible()
  await expect.element(list.getByText(/^Ann joined Choir\. You see each other from tomorrow, /)).toBeVisible()
  await expect.element(list.getByText(/^Gil/)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Show 1 more' }).click()
  await expect.element(list.getByText(/^Gil/)).toBeVisible()
  await expect.element(list.getByText(/^Elif/)).not.toBeInTheDocument()
  await list.getByRole('button', { name: 'Gil' }).click()
  await page.getByRole('dialog', { name: 'Gil' }).getByRole('button', { name: 'Hide from Gil' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Hide from Gil?' }))
    .toHaveAccessibleDescription("You will not see each other's deeb mode in Choir. Gil is not told.")
})

test('notes about newcomers are gone once they are read, and later ones are shown', async () => {
  const newcomers = [{ circleId: CIRCLES.choir.id, person: person('Ann'), visibleFrom: LATER }]
  const { answers, queryClient } = await open({ ...TEAM, newcomers })
  await page.getByRole('button', { name: 'OK' }).click()
  await expect.element(page.getByText(/^Ann joined/)).not.toBeInTheDocument()
  const visibleFrom = new Date(Date.parse(LATER) + 60_000).toISOString()
  answers['GET /api/team'] = {
    ...TEAM,
    newcomers: [...newcomers, { ...newcomers[0], person: person('Flo'), visibleFrom }],
  }
  refetchTeam(queryClient)
  await expect.element(page.getByText(/^Flo joined Choir/)).toBeVisible()
  await expect.element(page.getByText(/^Ann joined/)).not.toBeInTheDocument()
})

test('leaving a circle from the note of a newcomer removes the people who are seen through it only', async () => {
  const newcomers = [{ circleId: CIRCLES.choir.id, person: person('Ann'), visibleFrom: LATER }]
  const { answers } = await open({ ...TEAM, newcomers })
  answers['POST /api/circles/leave'] = { left: true }
  await page.getByRole('list', { name: 'Newcomers' }).getByRole('button', { name: 'Ann' }).click()
  await page.getByRole('button', { name: 'Leave circle Choir' }).click()
  answers['GET /api/team'] = 'unavailable'
  await page.getByRole('dialog', { name: 'Leave Choir?' }).getByRole('button', { name: 'Leave' }).click()
  await expect.element(page.getByText('You left Choir')).toBeVisible()
  // By name: until the team can be read again nobody is known to be in deeb mode.
  await expect.poll(names).toEqual(['Ben', 'Cleo', 'Elif', 'Zoe'])
  await expect.element(page.getByText(/^Ann joined/)).not.toBeInTheDocument()
  await dismissToast()
})

test('the team is read again when a newcomer becomes visible', async () => {
  const visibleFrom = new Date(Date.parse(FOCUS_OFF.serverTime) + 100).toISOString()
  const newcomers = [{ circleId: CIRCLES.choir.id, person: person('Ann'), visibleFrom }]
  const { answers } = await open({ ...TEAM, newcomers })
  await expect.element(page.getByText(/^Ann joined Choir/)).toBeVisible()
  answers['GET /api/team'] = { ...TEAM, throughCircles: [seen('Ann', [CIRCLES.choir.id])] }
  await expect.element(row('Ann')).toBeVisible()
})

test('an empty team leads to circles, where the server has them', async () => {
  const { answers, queryClient } = await open(ALONE)
  const circles = page.getByRole('link', { name: 'Open circles' })
  await page.getByRole('button', { name: 'Invite colleagues' }).click()
  await expect.element(circles).toHaveAttribute('href', '/app/circles')
  await page.getByRole('button', { name: 'Close' }).click()
  answers['GET /api/team'] = { ...ALONE, circles: [CIRCLES.backend] }
  refetchTeam(queryClient)
  await expect.element(page.getByText('Nobody else is in Backend yet. Show colleagues the QR code.')).toBeVisible()
  answers['GET /api/team'] = { ...ALONE, circleSize: 0 }
  refetchTeam(queryClient)
  await expect.element(page.getByText('No team connections yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Invite colleagues' }).click()
  await expect.element(page.getByRole('button', { name: 'Copy invite link' })).toBeVisible()
  await expect.element(page.getByRole('link')).not.toBeInTheDocument()
})
