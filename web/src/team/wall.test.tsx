import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { TEAM_KEY } from '../focus/focus-cache.ts'
import { FOCUS_OFF } from '../testing/mock-api.ts'
import { button, dialog, openScreen, translatePage } from '../testing/open-screen.tsx'
import TeamScreen from './TeamScreen.tsx'

const START = window.location.href
const NOW_MS = Date.parse(FOCUS_OFF.serverTime)
const minutesFromNow = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString()

const FREE = { inDeebMode: false, since: null }
let number = 0
const member = (firstName: string, lastName: string, presence: object = FREE) => {
  const id = `${String(++number).padStart(8, '0')}-0000-4000-8000-000000000000`
  const email = `${firstName}.${lastName}@fjordlab.example`.toLowerCase()
  return {
    id,
    person: { id, username: null, firstName, lastName, email },
    presence: { version: 1, ...presence },
    circleIds: [],
  }
}
const deep = (since: number, until?: number) => ({
  ...{ inDeebMode: true, since: minutesFromNow(since) },
  ...(until === undefined ? {} : { until: minutesFromNow(until) }),
})
const TEAM = {
  ...{ ...FOCUS_OFF, requests: [], sent: [], throughCircles: [], circles: [], newcomers: [], circleSize: 0 },
  connections: [
    member('Ada', 'Novak'),
    member('Ben', 'Hoff', deep(-52)),
    member('Cleo', 'Berg', deep(-5, 40)),
    member('Dan', 'Weber', deep(-70, 25)),
    member('Ada', 'Raman'),
  ],
}

const open = (team: object = TEAM) =>
  openScreen(<TeamScreen />, { 'GET /api/team': team, 'GET /api/team/alerts': { alerts: [] } })

afterEach(() => {
  window.history.replaceState(null, '', START)
  localStorage.removeItem('deeb.team-view')
  vi.restoreAllMocks()
})

const circles = () => page.getByRole('list', { name: 'Team members' }).getByRole('listitem')
const person = (name: string) => page.getByRole('list', { name: 'Team members' }).getByRole('button', { name })
/** The name and time that are seen below each circle. */
const captions = () =>
  circles()
    .elements()
    .map((item) => [...item.querySelectorAll('.wall-name, .wall-time')].map(({ textContent }) => textContent).join(' '))

test('the wall shows who is in deeb mode first, how long or until when, and who is free next', async () => {
  await open()
  await expect.element(page.getByText('3 in deeb mode')).toBeVisible()
  await expect.element(page.getByText(/^Next free: Dan, about /)).toBeVisible()
  const [ben, cleo, dan, ...others] = captions()
  expect(ben).toBe('Ben 0:52')
  expect(cleo).toMatch(/^Cleo \d/)
  expect(dan).toMatch(/^Dan \d/)
  expect(others).toEqual(['Ada N. ', 'Ada R. '])
  await expect.element(person('Ben Hoff ben.hoff@fjordlab.example In deeb mode since')).toBeVisible()
  await expect.element(person('Ada Novak ada.novak@fjordlab.example Available')).toBeVisible()
})

test('a translated wall follows who switches, and when somebody wants to be free', async () => {
  const { container, queryClient } = await open()
  await expect.element(page.getByText('3 in deeb mode')).toBeVisible()
  translatePage(container)
  const [ada, ben, cleo, ...others] = TEAM.connections
  const connections = [
    ...[ada, ben, cleo].map((one, n) => ({ ...one, presence: { version: 2, ...[deep(-1), deep(-52, 30), FREE][n] } })),
    ...others,
  ]
  queryClient.setQueriesData({ queryKey: TEAM_KEY }, (team: object) => ({ ...team, connections }))
  await expect
    .poll(() => captions().slice(0, 3).sort())
    .toEqual(['Ada N. 0:01', expect.stringMatching(/^Ben \d/), expect.stringMatching(/^Dan \d/)])
  expect(captions()).toContain('Cleo ')
})

test('a team in which nobody is in deeb mode says so', async () => {
  await open({ ...TEAM, connections: TEAM.connections.slice(0, 1) })
  await expect.element(page.getByText('Everybody is available')).toBeVisible()
  await expect.element(page.getByText(/Next free/)).not.toBeInTheDocument()
})

test('a wall that may be outdated shows nobody in deeb mode, and counts nobody', async () => {
  const { answers, queryClient, container } = await open()
  await expect.element(page.getByText('3 in deeb mode')).toBeVisible()
  answers['GET /api/team'] = 'unavailable'
  await queryClient.invalidateQueries()
  await expect.element(page.getByText(/^As of .+ Who is in deeb mode right now is unknown\.$/)).toBeVisible()
  await expect.element(page.getByText(/in deeb mode$|^Next free/)).not.toBeInTheDocument()
  expect(container.querySelectorAll('[data-state="unknown"]')).toHaveLength(5)
  expect(captions()).toEqual(['Ada N. ', 'Ben ', 'Cleo ', 'Dan ', 'Ada R. '])
  await person('Ben Hoff').click()
  await expect.element(dialog('Ben Hoff').getByText('ben.hoff@fjordlab.example')).toBeVisible()
  await expect.element(dialog('Ben Hoff').getByText(/In deeb mode|Available|Tell me/)).not.toBeInTheDocument()
})

test('a press on a circle shows the person, and the bell says what it does', async () => {
  const { bodies, answers } = await open()
  answers['POST /api/team/alerts'] = (body) => {
    const { userId } = body as { userId: string }
    answers['GET /api/team/alerts'] = { alerts: [{ userId, freeSince: null }] }
    return { isWanted: true }
  }
  await person('Ben Hoff').click()
  const sheet = dialog('Ben Hoff')
  await expect.element(sheet.getByText('ben.hoff@fjordlab.example')).toBeVisible()
  await expect.element(sheet.getByText('In deeb mode')).toBeVisible()
  const bell = sheet.getByRole('button', { name: 'Tell me when Ben Hoff is free' })
  await bell.click()
  await expect.element(bell).toHaveAttribute('aria-pressed', 'true')
  expect(bodies('POST /api/team/alerts')).toHaveLength(1)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect.element(person('Ben Hoff')).toHaveFocus()
})

test('the last circle invites', async () => {
  await open()
  await button('Invite').click()
  await expect.element(dialog('Invite colleagues').getByRole('button', { name: 'Copy invite link' })).toBeVisible()
})

test('the last circle invites to the only circle of the user first', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const circle = { id: '10000000-0000-4000-8000-000000000000', name: 'Backend' }
  const times = { visibleFrom: FOCUS_OFF.serverTime }
  const { answers } = await open({ ...TEAM, circles: [{ ...circle, ...times }], circleSize: 50 })
  const full = { ...circle, ...times, invite: 'a-secret', isKeeper: false, people: [] }
  answers['GET /api/circles'] = { circles: [full], hidden: [], circleSize: 50 }
  await button('Invite').click()
  await button('Copy link to Backend').click()
  await expect.poll(() => write.mock.calls.flat().join()).toMatch(/\/app\/circle#.*a-secret/)
  answers['GET /api/circles'] = { circles: [{ ...full, invite: null }], hidden: [], circleSize: 50 }
  await button('Copy link to Backend').click()
  await expect.element(page.getByText('Backend has no link now. Open circles to see why.')).toBeVisible()
  expect(write).toHaveBeenCalledTimes(1)
})

test('the circles are one stop of the tab key, and the arrow keys reach each', async () => {
  await open()
  await expect.element(person('Ben Hoff')).toBeVisible()
  person('Ben Hoff').element().focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(person('Dan Weber')).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(button('Invite')).toHaveFocus()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(person('Dan Weber')).toHaveFocus()
})

test('the list is one press away, with addresses without their common domain, and is kept', async () => {
  const { show } = await open()
  await button('List').click()
  await expect
    .element(page.getByRole('list', { name: 'Team members' }).getByText('ben.hoff', { exact: true }))
    .toBeVisible()
  await show(<p>Home</p>)
  await show(<TeamScreen />)
  await expect.element(button('Wall')).toBeVisible()
  await page.getByRole('searchbox').fill('hoff')
  await expect.element(person('Ben Hoff ben.hoff@fjordlab.example')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await button('Wall').click()
  await expect.element(button('Invite')).toBeVisible()
})

test('a display on a wall has no controls, keeps the screen awake, and Escape leaves it', async () => {
  const request = vi.spyOn(navigator.wakeLock, 'request').mockRejectedValue(new Error('low battery'))
  window.history.replaceState(null, '', '/app/team?wall')
  await open()
  await expect.element(page.getByText('3 in deeb mode')).toBeVisible()
  await expect.poll(() => request.mock.calls).toEqual([['screen']])
  document.dispatchEvent(new Event('visibilitychange'))
  expect(request).toHaveBeenCalledTimes(2)
  expect(page.getByRole('switch').elements()).toEqual([])
  expect(page.getByRole('searchbox').elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('searchbox')).toBeVisible()
  expect(window.location.search).toBe('')
})

test.each([
  [1920, 1080, 40, 110],
  [1920, 1080, 8, 240],
  [1080, 1920, 40, 110],
])('on a display of %i by %i, %i circles fill the screen', async (width, height, people, least) => {
  await page.viewport(width, height)
  window.history.replaceState(null, '', '/app/team?wall')
  const connections = Array.from({ length: people }, (_, n) =>
    member(`Ada${n}`, 'Novak', n % 4 === 0 ? deep(-5, 40) : undefined),
  )
  await open({ ...TEAM, connections })
  await expect.poll(() => circles().elements().length).toBe(people)
  const [first] = document.getElementsByClassName('wall-circle')
  expect(first?.clientWidth).toBeGreaterThan(least)
  const bottoms = circles()
    .elements()
    .map((item) => item.getBoundingClientRect().bottom)
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(height)
  await page.viewport(390, 844)
})
