import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { TEAM_KEY } from '../focus/focus-cache.ts'
import { FOCUS_OFF, HOME } from '../testing/mock-api.ts'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import TeamScreen from './TeamScreen.tsx'

const [READ, PEOPLE, SEARCH] = ['GET /api/team', 'GET /api/team/people', 'GET /api/team/search']
const [REQUEST, ANSWER] = ['POST /api/team/requests', 'POST /api/team/requests/answer']
const TAKE_BACK = 'POST /api/team/requests/take-back'

const idOf = (name: string) => `000000${name.charCodeAt(0)}-0000-4000-8000-000000000000`
const person = (firstName: string, lastName: string) => ({
  ...{ id: idOf(firstName), username: firstName.toLowerCase(), firstName, lastName },
  email: `${firstName}.${lastName}@fjordlab.example`.toLowerCase(),
})
const [ADA, JONAS, PRIYA] = [person('Ada', 'Novak'), person('Jonas', 'Weber'), person('Priya', 'Raman')]
const connection = (of: typeof ADA) => ({
  ...{ id: of.id, person: of, presence: { inDeebMode: false, since: null, version: 1 }, circleIds: [] },
})
const ALONE = {
  ...{ ...FOCUS_OFF, connections: [], requests: [], sent: [], throughCircles: [], circles: [], newcomers: [] },
  circleSize: 50,
}
const NOBODY = { count: 1, people: [] }

/** The team of Mara, with the changes that the server saves. */
async function openTeam(team: object, answers: object = {}, queryClient?: QueryClient) {
  const current = () => screen.answers[READ] as typeof ALONE
  const screen = await openScreen(
    <TeamScreen />,
    {
      [READ]: { ...ALONE, ...team },
      [PEOPLE]: NOBODY,
      [SEARCH]: { people: [JONAS, PRIYA] },
      [REQUEST]: (body) => {
        const { userId } = body as { userId: string }
        const asked = [ADA, JONAS, PRIYA].find(({ id }) => id === userId)
        screen.answers[READ] = { ...current(), sent: [{ id: userId, person: asked }, ...current().sent] }
        return { connectionId: userId, status: 'pending' }
      },
      [TAKE_BACK]: (body) => {
        const { requestId } = body as { requestId: string }
        const sent = current().sent.filter(({ id }) => id !== requestId)
        screen.answers[READ] = { ...current(), sent }
        return { takenBack: true }
      },
      [ANSWER]: (body) => {
        const { requestId, answer } = body as { requestId: string; answer: string }
        const requests = current().requests.filter(({ id }) => id !== requestId)
        const accepted = [ADA, JONAS, PRIYA].filter(({ id }) => answer === 'accepted' && id === requestId)
        const connections = [...current().connections, ...accepted.map(connection)]
        screen.answers[READ] = { ...current(), requests, connections }
        return { status: answer }
      },
      ...answers,
    },
    queryClient,
  )
  return screen
}

const searchBox = () => page.getByRole('searchbox', { name: 'Search team members...' })
const member = (name: string) =>
  page.getByRole('list', { name: 'Team members' }).getByRole('button', { name: new RegExp(`^${name}`) })
const requests = () => page.getByRole('button', { name: /^Connection Requests/ })

test('a team that fails to load, failed suggestions and a failed search can be read again', async () => {
  let loaded = () => {}
  const held = new Promise<void>((resolve) => {
    loaded = resolve
  })
  const { answers } = await openTeam({}, { [PEOPLE]: 'unavailable', [READ]: () => held.then(() => 'unavailable') })
  await expect.element(page.getByText('Loading team data...')).toBeVisible()
  loaded()
  await expect.element(page.getByText('Failed to load team data. Please refresh the page.')).toBeVisible()
  answers[READ] = ALONE
  await button('Try again').click()
  await expect.element(page.getByText('No team connections yet.')).toBeVisible()
  await expect.element(button('Try again')).toBeVisible()
  answers[PEOPLE] = NOBODY
  await button('Try again').click()
  await expect.element(page.getByText('You are the first person of fjordlab.example to use deeb.')).toBeVisible()

  answers[SEARCH] = 'unavailable'
  await searchBox().fill('ada')
  await expect.element(button('Try again')).toBeVisible()
  answers[SEARCH] = { people: [] }
  await button('Try again').click()
  await expect.element(page.getByText('No people found matching "ada"')).toBeVisible()
  await expect.element(page.getByText('Try searching for a different name or email.')).toBeVisible()
})

test('a team that may be outdated claims nobody to be in deeb mode, says of when it is, and can be read again', async () => {
  const presence = { inDeebMode: true, since: '2026-06-15T08:00:00.000Z', version: 1 }
  const { answers, queryClient } = await openTeam({
    connections: [{ ...connection(ADA), presence }, connection(JONAS)],
  })
  await expect.element(member('Ada Novak')).toHaveTextContent('In deeb mode')
  await expect.element(member('Jonas Weber')).toHaveTextContent('Available')
  const read = answers[READ] ?? ''
  answers[READ] = 'unavailable'
  await queryClient.invalidateQueries()
  await expect.element(page.getByText(/^As of .+ Who is in deeb mode right now is unknown\.$/)).toBeVisible()
  for (const name of ['Ada Novak', 'Jonas Weber']) {
    await expect.element(member(name)).toBeVisible()
    await expect.element(member(name)).not.toHaveTextContent(/In deeb mode|Available|since/)
  }
  await expect.element(button('Tell me when Ada Novak is free')).not.toBeInTheDocument()
  // Not a failure: the team is there.
  await expect.element(page.getByText('Failed to load team data. Please refresh the page.')).not.toBeInTheDocument()
  answers[READ] = read
  await button('Try again').click()
  await expect.element(member('Ada Novak')).toHaveTextContent('In deeb mode')
  await expect.element(page.getByText(/^As of/)).not.toBeInTheDocument()
})

test('people who were asked are listed from the team as it is, not as it was seen last', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  queryClient.setQueryData(['kept', ...TEAM_KEY], ALONE)
  await openTeam({ sent: [{ id: JONAS.id, person: JONAS }] }, {}, queryClient)
  await expect.element(page.getByText('Requested')).toBeVisible()
})

test('an empty team offers a link for everybody of the company', async () => {
  await openTeam({}, { 'POST /api/invitations': { signature: 'a-signature' } })
  await button('Invite colleagues').click()
  await expect.element(page.getByText('Everybody with an address at fjordlab.example can join.')).toBeVisible()
  await expect.element(button('Copy invite link')).toBeVisible()
  await expect.element(page.getByRole('img', { name: 'QR code of the invite link' })).toBeVisible()
})

test('without a company Team says that deeb works alone, with no search, request or call for people', async () => {
  const profile = { ...HOME.profile, email: 'mara@gmail.com', companyDomain: null }
  const { calls } = await openTeam({}, { 'GET /api/home': { ...HOME, profile } })
  await expect.element(page.getByText('deeb works alone, too.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Use a work address' }))
    .toHaveAttribute('href', '/app/settings/sign-in')
  expect(page.getByRole('main').element().textContent).not.toMatch(/olleague|onnect/)
  await expect.element(searchBox()).not.toBeInTheDocument()
  await expect.element(requests()).not.toBeInTheDocument()
  expect(calls.map(({ call }) => call)).not.toContain(PEOPLE)
})

test('requested colleagues stay in place after concurrent requests, until they are connected', async () => {
  const { answers, queryClient } = await openTeam({})
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const ask = answers[REQUEST] as (body: unknown) => object
  answers[REQUEST] = (body) => held.then(() => ask(body))
  await searchBox().fill('fjordlab')
  const rows = page.getByRole('button', { name: /^(Add|Take back request to) / })
  const labels = () => rows.elements().map((row) => row.getAttribute('aria-label'))
  await expect.poll(labels).toEqual(['Add Jonas Weber', 'Add Priya Raman'])
  await button('Add Jonas Weber').click()
  await button('Add Priya Raman').click()
  release()
  await expect.poll(labels).toEqual(['Take back request to Jonas Weber', 'Take back request to Priya Raman'])
  answers[READ] = { ...ALONE, connections: [connection(JONAS)], sent: [{ id: PRIYA.id, person: PRIYA }] }
  await queryClient.invalidateQueries()
  await expect.poll(labels).toEqual(['Take back request to Priya Raman'])
})

test('a request that fails stays at its colleague, and a double click sends one', async () => {
  const { answers, bodies } = await openTeam({})
  const ask = answers[REQUEST] ?? ''
  answers[REQUEST] = 'unavailable'
  await searchBox().fill('jonas')
  await button('Add Jonas Weber').click()
  await expectFailure('Failed to send connection request. Please try again.')
  answers[REQUEST] = ask
  // Both in one turn: the second one of a mouse may reach what replaces the button.
  const add = button('Add Jonas Weber').element() as HTMLElement
  add.focus()
  add.click()
  add.click()
  await expect.element(page.getByText('Connection request sent successfully!')).toBeVisible()
  await expect.element(button('Take back request to Jonas Weber')).toHaveFocus()
  expect(bodies(REQUEST)).toEqual(Array(2).fill({ userId: JONAS.id }))
})

test('each request is answered once, and the keyboard focus moves to the next', async () => {
  const { answers, bodies } = await openTeam({ requests: [JONAS, PRIYA] })
  const answer = answers[ANSWER] ?? ''
  await expect.element(requests()).toHaveAccessibleName('Connection Requests, 2')
  await requests().click()
  const sheet = dialog('Connection Requests')
  await expect.poll(() => button('Accept').elements()).toHaveLength(2)
  for (const one of sheet.getByRole('button', { name: /^(Accept|Decline)$/ }).all()) {
    await expect.element(one).toHaveAccessibleDescription(/^(Jonas Weber|Priya Raman)$/)
  }
  answers[ANSWER] = 'unavailable'
  await button('Accept').first().click()
  await expectFailure('Failed to handle request')
  answers[ANSWER] = answer
  ;(button('Accept').first().element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => button('Accept').elements()).toHaveLength(1)
  await expect.poll(() => document.activeElement?.textContent).toBe('Decline')
  ;(button('Accept').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('No pending requests')).toBeVisible()
  await expect.element(button('Close')).toHaveFocus()
  await button('Close').click()
  await expect.element(requests()).toHaveFocus()
  expect(bodies(ANSWER)).toEqual([JONAS, JONAS, PRIYA].map(({ id }) => ({ requestId: id, answer: 'accepted' })))
  await searchBox().fill('weber  JONAS')
  await expect.element(member('Jonas Weber')).toBeVisible()
  expect(member('Priya Raman').query()).toBeNull()
})

test('a connection that could not be ended keeps its question open', async () => {
  await openTeam({ connections: [connection(JONAS)] })
  await member('Jonas Weber').click()
  const sheet = dialog('Jonas Weber')
  await sheet.getByRole('button', { name: 'Quit Connection' }).click()
  const quit = dialog('Quit connection with Jonas?')
  await quit.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(sheet.getByRole('button', { name: 'Quit Connection' })).toHaveFocus()
  await sheet.getByRole('button', { name: 'Quit Connection' }).click()
  await quit.getByRole('button', { name: 'Quit Connection' }).click()
  await expectFailure('Failed to quit connection. Please try again.')
  await expect.element(quit).toBeVisible()
})
