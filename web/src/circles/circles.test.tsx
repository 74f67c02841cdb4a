import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { APP_PATHS } from '@deeb/core/paths'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import { keepInvite } from '../session/kept-invite.ts'
import { applyPresence } from '../team/team-cache.ts'
import { type Answers, FOCUS_OFF, HOME } from '../testing/mock-api.ts'
import { button, dialog, openScreen } from '../testing/open-screen.tsx'
import CircleScreen from './CircleScreen.tsx'
import CirclesScreen from './CirclesScreen.tsx'

const NOW = HOME.serverTime
const TOMORROW = '2026-06-16T09:00:00.000Z'
const INVITE = 'Zm9vYmFyLWJhel9xdXV4MQ'
const ID = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const BEN = {
  ...{ id: '22222222-2222-4222-8222-222222222222', username: 'ben', firstName: 'Ben', lastName: 'Hoff' },
  email: 'ben.hoff@fjordlab.example',
}
const CIRCLE = {
  ...{ id: ID, name: 'Backend', invite: INVITE, isKeeper: true, visibleFrom: NOW },
  people: [{ person: BEN, joinedAt: NOW, visibleFrom: NOW }],
}
const READ = 'POST /api/invitations/read'
const NONE = { circles: [], hidden: [], circleSize: 50 }
const PREVIEW = { name: 'Backend', people: [BEN], visibleFrom: NOW, isMember: false }

afterEach(() => {
  localStorage.removeItem('deeb.circle-invite')
  window.history.replaceState(null, '', '/')
})

const openCircles = (circles: object | string, team: object | string = 'unavailable') =>
  openScreen(<CirclesScreen />, { 'GET /api/circles': circles, 'GET /api/team': team })

/** Opens the link of a circle in a tab that shows this screen. */
async function openLink(fragment: string | null, answers: Answers) {
  window.history.replaceState(null, '', APP_PATHS.circle)
  if (fragment !== null) window.location.hash = fragment
  await expect.poll(() => window.location.hash).toBe('')
  return openScreen(
    <Route path={APP_PATHS.circle}>
      <CircleScreen />
    </Route>,
    answers,
  )
}

test('a circle is created once by a double click, after a valid name, and its QR code is shown', async () => {
  const { answers, bodies } = await openCircles(NONE)
  await expect.element(page.getByText('No circles yet.')).toBeVisible()
  await button('Create a circle').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('  ')
  await button('Create').click()
  await expect.element(page.getByText('Use 1 to 40 visible characters.')).toBeVisible()
  answers['POST /api/circles'] = 'too_many_circles'
  await page.getByRole('textbox', { name: 'Name' }).fill(' Backend ')
  await button('Create').click()
  await expect
    .element(
      dialog('Create a circle')
        .getByText(/^You are in 10 circles/)
        .first(),
    )
    .toBeVisible()
  answers['POST /api/circles'] = { circleId: ID, invite: INVITE }
  answers['GET /api/circles'] = { ...NONE, circles: [{ ...CIRCLE, people: [] }] }
  await button('Create').dblClick()
  await expect.element(page.getByRole('img', { name: 'QR code to join Backend' })).toBeVisible()
  await expect.element(dialog('Join Backend').getByText('1 person in it')).toBeVisible()
  expect(bodies('POST /api/circles')).toEqual(Array(2).fill({ name: 'Backend' }))
})

test('the QR code fills the window in black on white, in focus mode too, and Escape closes it', async () => {
  document.documentElement.dataset.focus = 'on'
  await openCircles({ ...NONE, circles: [CIRCLE] })
  await button('Invite').click()
  const screen = dialog('Join Backend')
  await expect.element(screen).toBeVisible()
  document.documentElement.dataset.focus = 'on'
  const { backgroundColor, color } = getComputedStyle(screen.element())
  expect([backgroundColor, color]).toEqual(['rgb(255, 255, 255)', 'rgb(16, 17, 19)'])
  const { width } = page
    .getByRole('img', { name: /^QR code/ })
    .element()
    .getBoundingClientRect()
  expect(width).toBeGreaterThan(300)
  await userEvent.keyboard('{Escape}')
  await expect.element(screen).not.toBeInTheDocument()
  delete document.documentElement.dataset.focus
})

test('members are first, with the deeb mode of those whom Team shows, live; only the keeper can change the circle', async () => {
  const cleo = { ...BEN, id: ID, firstName: 'Cleo', email: 'cleo.hoff@fjordlab.example' }
  const people = [
    { person: BEN, joinedAt: NOW, visibleFrom: NOW },
    { person: cleo, joinedAt: NOW, visibleFrom: TOMORROW },
  ]
  const presence = { inDeebMode: true, since: NOW, version: 1 }
  const throughCircles = [{ person: BEN, presence, circleIds: [ID] }]
  const team = { ...FOCUS_OFF, connections: [], requests: [], sent: [], throughCircles }
  const { answers, queryClient } = await openCircles({ ...NONE, circles: [{ ...CIRCLE, people }] }, team)
  const list = page.getByRole('list', { name: 'Members of Backend' })
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  await expect.element(row('Ben')).toHaveTextContent(/In deeb mode/)
  await expect.element(row('Cleo')).toHaveTextContent(/Seen from tomorrow, /)
  await expect.element(row('Cleo')).not.toHaveTextContent(/deeb mode|Available/)
  applyPresence(queryClient, { userId: BEN.id, presence: { ...presence, inDeebMode: false } })
  await expect.element(row('Ben')).toHaveTextContent(/Available/)
  const before = list.element().compareDocumentPosition(button('Invite').element())
  expect(before & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
  await button('Change Backend').click()
  await expect.element(dialog('Backend').getByText(/^You look after this circle/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Change Backend')).toHaveFocus()

  answers['GET /api/circles'] = { ...NONE, circles: [{ ...CIRCLE, isKeeper: false, invite: null }] }
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('Nobody can join now.')).toBeVisible()
  for (const name of ['Remove Ben Hoff', 'Change Backend', 'Invite']) {
    await expect.element(button(name)).not.toBeInTheDocument()
  }
  await expect.element(button('Leave circle')).toBeVisible()
})

test('the keeper of a circle without a link makes one to invite, and its QR code is shown', async () => {
  const { answers, bodies } = await openCircles({ ...NONE, circles: [{ ...CIRCLE, invite: null }] })
  await button('Invite').click()
  answers['POST /api/circles/link'] = { invite: INVITE }
  answers['GET /api/circles'] = { ...NONE, circles: [CIRCLE] }
  await dialog('Make a new link?').getByRole('button', { name: 'Make link' }).dblClick()
  await expect.element(page.getByRole('img', { name: 'QR code to join Backend' })).toBeVisible()
  expect(bodies('POST /api/circles/link')).toEqual([{ circleId: ID, isOpen: true }])
})

test('a long name without spaces does not widen the page', async () => {
  await openCircles({ ...NONE, circles: [{ ...CIRCLE, name: 'W'.repeat(40) }] })
  await expect.element(button('Invite')).toBeVisible()
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBe(clientWidth)
})

test('a newcomer is shown as a member at the instant, without a request', async () => {
  const visibleFrom = new Date(Date.parse(NOW) + 60_000).toISOString()
  const { answers, calls } = await openCircles({
    ...NONE,
    circles: [{ ...CIRCLE, visibleFrom, people: [{ person: BEN, joinedAt: NOW, visibleFrom }] }],
  })
  await expect.element(page.getByText(/^Seen from /)).toBeVisible()
  await expect.element(page.getByText(/^You and the others see each other from /)).toBeVisible()
  // Both clocks: the page measures the server's one again when its own has moved.
  answers['GET /api/home'] = { ...HOME, serverTime: visibleFrom }
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  await expect.element(page.getByText(/^Seen from |see each other from /)).not.toBeInTheDocument()
  expect(calls.filter(({ call }) => call === 'GET /api/circles')).toHaveLength(1)
})

test.each([
  ['New link', 'Make a new link?', 'Make link', '/api/circles/link', { circleId: ID, isOpen: true }],
  ['Remove link', 'Remove the link?', 'Remove link', '/api/circles/link', { circleId: ID, isOpen: false }],
  ['Remove Ben Hoff', 'Remove Ben from Backend?', 'Remove', '/api/circles/remove', { circleId: ID, userId: BEN.id }],
  ['Close circle', 'Close Backend?', 'Close circle', '/api/circles/close', { circleId: ID }],
  ['Leave circle', 'Leave Backend?', 'Leave', '/api/circles/leave', { circleId: ID }],
])('%s asks first, and stays open after a failure', async (name, title, action, path, body) => {
  const { bodies } = await openCircles({ ...NONE, circles: [CIRCLE] })
  if (name !== 'Remove Ben Hoff') await button('Change Backend').click()
  await button(name).click()
  await expect.element(dialog(title)).toHaveAccessibleDescription(/\.$/)
  expect(bodies(`POST ${path}`)).toEqual([])
  await dialog(title).getByRole('button', { name: action, exact: true }).click()
  await expect
    .element(
      dialog(title)
        .getByText(/try again/)
        .first(),
    )
    .toBeVisible()
  expect(bodies(`POST ${path}`)).toEqual([body])
  await dialog(title).getByRole('button', { name: 'Cancel' }).click()
})

test('hidden people can be shown again', async () => {
  const { answers, bodies } = await openCircles({ ...NONE, hidden: [BEN] })
  await expect.element(page.getByRole('heading', { name: 'Hidden' })).toBeVisible()
  answers['POST /api/circles/hide'] = { isHidden: false }
  answers['GET /api/circles'] = NONE
  await button('Show Ben Hoff again').click()
  await expect.element(page.getByRole('heading', { name: 'Hidden' })).not.toBeInTheDocument()
  expect(bodies('POST /api/circles/hide')).toEqual([{ userId: BEN.id, isHidden: false }])
  await expect.element(page.getByRole('heading', { name: 'Circles' })).toHaveFocus()
})

test('circles that cannot be loaded can be tried again; a server without circles says so', async () => {
  const { answers } = await openCircles('unavailable')
  await expect.element(page.getByRole('heading', { name: 'Your circles could not be loaded' })).toBeVisible()
  answers['GET /api/circles'] = 'circles_off'
  await button('Try again').click()
  await expect.element(page.getByText(/^This server has no circles/)).toBeVisible()
})

test('without a company there are no circles: Team says what there is', async () => {
  const profile = { ...HOME.profile, email: 'mara@gmail.com', companyDomain: null }
  window.history.replaceState(null, '', APP_PATHS.circles)
  await openScreen(<CirclesScreen />, { 'GET /api/circles': NONE, 'GET /api/home': { ...HOME, profile } })
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.team)
})

test('the preview says who would see whom and from when on, and keeps the secret out of the query cache', async () => {
  const people = [BEN, { ...BEN, id: ID, firstName: 'Cleo', email: 'cleo.hoff@fjordlab.example' }]
  const preview = { ...PREVIEW, people, visibleFrom: TOMORROW }
  const { queryClient } = await openLink(INVITE, { 'POST /api/circles/preview': preview })
  await expect.element(page.getByRole('heading', { name: 'Backend at fjordlab.example' })).toBeVisible()
  await expect.element(page.getByText(/^From tomorrow, /)).toBeVisible()
  const sentence = 'These 2 people would see when you are in deeb mode, and you would see them:'
  await expect.element(page.getByText(sentence)).toBeVisible()
  const choice = 'Joining is your choice. Nobody can add you, and nobody is told when you leave.'
  await expect.element(page.getByText(choice)).toBeVisible()
  expect(page.getByRole('list', { name: 'Members of Backend' }).getByRole('listitem').elements()).toHaveLength(2)
  const cached = queryClient.getQueryCache().getAll()
  expect(JSON.stringify(cached.map(({ queryKey, state }) => [queryKey, state]))).not.toContain(INVITE)
})

test.each([
  ['circle_full', 'Backend is full. Ask a member to make room, or create a second circle.'],
  ['too_many_circles', 'You are in 10 circles. Leave one, then join this one.'],
  ['not_found', 'This link no longer works. Ask your colleague for a new one.'],
  ['unavailable', 'You have not joined. Please try again.'],
])('a refusal to join says what to do: %s', async (code, text) => {
  await openLink(INVITE, { 'POST /api/circles/preview': PREVIEW, 'POST /api/circles/join': code })
  await button('Join').click()
  await expect.element(page.getByRole('main').getByRole('alert')).toHaveTextContent(text)
  // No toast says it again: on a phone it would cover the button.
  expect(page.getByText(text).elements()).toHaveLength(1)
  await expect.element(button('Join')).toBeEnabled()
})

test('joining leads to the team in place of the link', async () => {
  const joined = { circleId: ID, visibleFrom: NOW }
  await openLink(INVITE, { 'POST /api/circles/preview': PREVIEW, 'POST /api/circles/join': joined })
  const entries = window.history.length
  await button('Join').dblClick()
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.team)
  expect([window.history.length, localStorage.getItem('deeb.circle-invite')]).toEqual([entries, null])
  await expect.element(page.getByText('You see each other from now on.')).toBeVisible()
})

test.each([
  [INVITE, 'not_found', 'This link does not work'],
  ['too-short', 'not asked', 'This link does not work'],
  [INVITE, 'circles_off', 'This server has no circles'],
  [INVITE, 'too_many_attempts', 'You have opened too many links'],
  [INVITE, 'unavailable', 'The circle could not be loaded'],
])('without a preview, the link %s with the answer %s says: %s', async (fragment, code, title) => {
  await openLink(fragment, { 'POST /api/circles/preview': code, [READ]: 'not_found' })
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
})

test('a newcomer who has agreed at the sign-up joins without another tap', async () => {
  const joined = { circleId: ID, visibleFrom: NOW }
  keepInvite(INVITE, true)
  const { bodies } = await openLink(null, { 'POST /api/circles/preview': PREVIEW, 'POST /api/circles/join': joined })
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.team)
  expect(bodies('POST /api/circles/join')).toEqual([{ invite: INVITE }])
})

test('threat 274: nobody else joins without a tap, and a link that was opened later takes the agreement away', async () => {
  const answers = { 'POST /api/circles/preview': PREVIEW, 'POST /api/circles/join': 'unavailable' }
  keepInvite(INVITE.replace('Z', 'Y'), true)
  const { bodies } = await openLink(INVITE, answers)
  await expect.element(button('Join')).toBeVisible()
  expect(bodies('POST /api/circles/join')).toEqual([])
})

test.each([
  ['a circle', INVITE, 'Backend'],
  ['a company', 'A'.repeat(48), null],
])('%s of another company says for whom it is, and what to do', async (_kind, fragment, circle) => {
  const found = { inviter: 'Ada', circle, domain: 'holm.example', people: null }
  await openLink(fragment, { 'POST /api/circles/preview': 'not_found', [READ]: found })
  await expect.element(page.getByRole('heading', { name: 'This invitation is for holm.example' })).toBeVisible()
  await expect.element(page.getByText('You are signed in as mara.lind@fjordlab.example.')).toBeVisible()
  await expect.element(button('Sign Out')).toBeVisible()
  await button('Change email').click()
  expect([window.location.pathname, window.history.state]).toEqual([APP_PATHS.signInSettings, { opens: 'email' }])
})

test("the invitation of the user's company leads to the team", async () => {
  const found = { inviter: 'Ada', circle: null, domain: 'fjordlab.example', people: null }
  const { bodies } = await openLink('A'.repeat(48), { [READ]: found })
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.team)
  expect(bodies('POST /api/team/requests')).toEqual([])
  expect(localStorage.getItem('deeb.circle-invite')).toBeNull()
})

test('somebody who joined by the link of the company asks its sender to connect', async () => {
  const found = { inviter: 'Ada', circle: null, domain: 'fjordlab.example', people: null }
  const signature = `ABEiM0RVZneImaq7zN3u_${'w'.repeat(27)}`
  keepInvite(signature, true)
  const { bodies } = await openLink(null, {
    [READ]: found,
    'POST /api/team/requests': { connectionId: ID, status: 'pending' },
  })
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.team)
  expect(bodies('POST /api/team/requests')).toEqual([{ userId: '00112233-4455-6677-8899-aabbccddeeff' }])
  await expect.element(page.getByText('Ada is asked to connect with you')).toBeVisible()
})

test('a second link in the same tab never shows the circle of the first one', async () => {
  const { answers, bodies } = await openLink(INVITE, { 'POST /api/circles/preview': PREVIEW })
  await expect.element(button('Join')).toBeVisible()
  answers['POST /api/circles/preview'] = 'not_found'
  answers[READ] = 'not_found'
  const second = INVITE.replace('Z', 'Y')
  window.location.hash = second
  await expect.element(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expect.element(button('Join')).not.toBeInTheDocument()
  expect(bodies('POST /api/circles/preview')).toEqual([{ invite: INVITE }, { invite: second }])
})

test('a member is led to their circles', async () => {
  await openLink(INVITE, { 'POST /api/circles/preview': { ...PREVIEW, isMember: true } })
  await expect.element(page.getByText(/^You are in this circle\. This person sees when/)).toBeVisible()
  await expect.element(button('Join')).not.toBeInTheDocument()
  await button('Open circles').click()
  expect(window.location.pathname).toBe(APP_PATHS.circles)
})
