import { expect, type Page } from '@playwright/test'
import { loadKeys } from '../../server/src/config/keys.ts'
import { unsubscribeUrl } from '../../server/src/reminders/unsubscribe-link.ts'
import type { TestServer } from '../server.ts'
import { becomeUser, deebSwitch, expectFocused, hold, MARA, signIn, switchDeeb, test } from '../test.ts'

const PEOPLE = {
  ada: { ...MARA, email: 'ada.novak@fjordlab.example', username: 'ada' },
  jonas: { ...MARA, email: 'jonas.weber@fjordlab.example', username: 'jonas' },
  stranger: { ...MARA, email: 'eve.stone@otherhouse.example', username: 'eve' },
}

/** A new user on their own device, with the team screen open. */
async function atTeam(newDevice: () => Promise<Page>, server: TestServer, who: keyof typeof PEOPLE): Promise<Page> {
  const page = await newDevice()
  await becomeUser(page, server, PEOPLE[who])
  await toTeam(page)
  return page
}

async function toTeam(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Team/ }).click()
  await expectFocused(page.getByRole('heading', { name: 'Team' }))
}

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search team members...' })
const member = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Team members' }).getByRole('button', { name: new RegExp(`^${name}`) })
const add = (page: Page, name: string) => page.getByRole('button', { name: `Add ${name}` })
const takeBack = (page: Page, name: string) => page.getByRole('button', { name: `Take back request to ${name}` })
const requests = (page: Page) => page.getByRole('button', { name: /^Connection Requests/ })

const emailsOn = (page: Page) => page.getByRole('switch', { name: 'Email me about connection requests' })

/** Presses the switch and waits for the answer of the server: a reload before it would lose the press. */
async function pressEmails(page: Page): Promise<void> {
  const saved = page.waitForResponse('**/api/profile/request-emails')
  await emailsOn(page).click()
  await saved
}

/** The time limit for live presence. It is much shorter than the interval of any refetch. */
const live = { timeout: 10_000 }

test('colleagues search, connect, see each other’s presence live, also after the server was down, and quit', async ({
  newDevice,
  server,
}) => {
  const [ada, jonas, stranger] = await Promise.all([
    atTeam(newDevice, server, 'ada'),
    atTeam(newDevice, server, 'jonas'),
    atTeam(newDevice, server, 'stranger'),
  ])
  await expect(ada.getByText('No team connections yet.')).toBeVisible()
  await expect(ada.getByText('Search for colleagues to connect with them.')).toBeVisible()
  await search(stranger).fill('ada')
  await expect(stranger.getByText('No people found matching "ada"')).toBeVisible()
  await expect(stranger.getByText('Try searching for a different name or email.')).toBeVisible()

  await expect(requests(jonas)).toHaveAccessibleName('Connection Requests')
  await search(ada).fill('JONAS web')
  await expect(ada.getByText('People you can connect with:')).toBeVisible()
  await ada.getByRole('button', { name: 'Add Jonas Weber' }).click()
  await expect(ada.getByText('Connection request sent successfully!')).toBeVisible()
  await expectFocused(takeBack(ada, 'Jonas Weber'))
  await search(ada).clear()

  await expect(requests(jonas)).toHaveAccessibleName('Connection Requests, 1')
  await requests(jonas).click()
  const panel = jonas.getByRole('dialog', { name: 'Connection Requests' })
  await expect(panel.getByText('ada.novak@fjordlab.example')).toBeVisible()
  await panel.getByRole('button', { name: 'Accept' }).click()
  await expect(jonas.getByText('Request accepted')).toBeVisible()
  await expect(panel.getByText('No pending requests')).toBeVisible()
  await expectFocused(panel.getByRole('button', { name: 'Close' }))
  await panel.getByRole('button', { name: 'Close' }).click()
  await expectFocused(requests(jonas))
  await expect(member(jonas, 'Ada Novak ada.novak@fjordlab.example Available')).toBeVisible()
  await expect(member(ada, 'Jonas Weber jonas.weber@fjordlab.example Available')).toBeVisible()

  await switchDeeb(ada, 'on')
  await expect(member(jonas, 'Ada Novak').getByText('In deeb mode')).toBeVisible(live)
  await switchDeeb(ada, 'off')
  await expect(member(jonas, 'Ada Novak').getByText('Available')).toBeVisible(live)
  await server.stop()
  await server.start()
  await switchDeeb(ada, 'on')
  // A lost stream reconnects with exponential backoff.
  await expect(member(jonas, 'Ada Novak').getByText('In deeb mode')).toBeVisible({ timeout: 60_000 })

  await member(jonas, 'Ada Novak').click()
  const quit = jonas.getByRole('dialog', { name: 'Ada Novak' }).getByRole('button', { name: 'Quit Connection' })
  await quit.click()
  const question = jonas.getByRole('dialog', { name: 'Quit connection with Ada?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expectFocused(quit)
  await quit.click()
  await question.getByRole('button', { name: 'Quit Connection' }).click()
  await expect(jonas.getByText('You have successfully quit the connection.')).toBeVisible()
  await expect(jonas.getByText('No team connections yet.')).toBeVisible()
  await expectFocused(jonas.getByRole('heading', { name: 'Team' }))
  await expect(ada.getByText('No team connections yet.')).toBeVisible()
})

test('an empty team suggests colleagues, and a request can be taken back', { tag: '@heavy' }, async ({
  newDevice,
  server,
}) => {
  const ada = await atTeam(newDevice, server, 'ada')
  await expect(ada.getByText('You are the first person of fjordlab.example to use deeb.')).toBeVisible()
  const jonas = await atTeam(newDevice, server, 'jonas')
  await expect(jonas.getByText('2 people of fjordlab.example use deeb, you included.')).toBeVisible()
  await add(jonas, 'Ada Novak').dblclick()
  await expect(jonas.getByText('Requested')).toBeVisible()
  await expect(requests(ada)).toHaveAccessibleName('Connection Requests, 1')
  await expect(ada.getByText('2 people of fjordlab.example use deeb, you included.')).toBeVisible()

  await takeBack(jonas, 'Ada Novak').click()
  await expect(jonas.getByText('Request taken back')).toBeVisible()
  await expectFocused(add(jonas, 'Ada Novak'))
  await expect(requests(ada)).toHaveAccessibleName('Connection Requests')
  await add(jonas, 'Ada Novak').click()
  await expect(takeBack(jonas, 'Ada Novak')).toBeVisible()
  await jonas.reload()
  await expect(jonas.getByText('Requested')).toBeVisible()

  await requests(jonas).click()
  const sent = jonas.getByRole('dialog').getByRole('list', { name: 'Sent' })
  await expect(sent.getByText('ada.novak@fjordlab.example')).toBeVisible()
  await requests(ada).click()
  const accepting = await hold(ada, '**/api/team/requests/answer')
  await ada.getByRole('button', { name: 'Accept' }).click()
  await sent.getByRole('button', { name: 'Take back request to Ada Novak' }).click()
  await expect(sent.getByRole('listitem')).toHaveCount(0)
  await expectFocused(jonas.getByRole('button', { name: 'Close' }))
  accepting.release()
  await expect(ada.getByRole('alert').getByText('This request no longer exists.')).toBeVisible()
  await expect(ada.getByText('No pending requests')).toBeVisible()
})

test('a request shows on every screen and in the title, but only quietly in deeb mode', { tag: '@heavy' }, async ({
  newDevice,
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const counts: number[] = []
    navigator.setAppBadge = async (count = 0) => void counts.push(count)
    Object.assign(window, { counts })
  })
  const iconCount = () => page.evaluate(() => (window as unknown as { counts: number[] }).counts.at(-1))
  await becomeUser(page, server, PEOPLE.jonas)
  const team = page.getByRole('button', { name: /^Team/ })
  await expect(team).toHaveAccessibleName('Team')
  const ada = await atTeam(newDevice, server, 'ada')
  await search(ada).fill('jonas')
  await ada.getByRole('button', { name: 'Add Jonas Weber' }).click()

  await expect(team).toHaveAccessibleName('Team, 1 request', live)
  await expect(page).toHaveTitle('(1) Home · deeb')
  await expect.poll(iconCount).toBe(1)
  await switchDeeb(page, 'on')
  await expect(page).toHaveTitle('In deeb mode · Home · deeb')
  await expect(team).toHaveAccessibleName('Team, 1 request')
  await expect.poll(iconCount).toBe(0)
  await switchDeeb(page, 'off')
  for (const screen of ['Profile', 'Settings']) {
    await page.getByRole('button', { name: screen, exact: true }).click()
    await expect(page).toHaveTitle(`(1) ${screen} · deeb`)
    await expect(team).toHaveAccessibleName('Team, 1 request')
  }
  await toTeam(page)
  await requests(page).click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.keyboard.press('Escape')
  await expect(team).toHaveAccessibleName('Team')
  await expect(page).toHaveTitle('Team · deeb')
  await expect.poll(iconCount).toBe(0)
})

test('emails about requests can be switched off in Settings, and without script by their link', {
  tag: '@heavy',
}, async ({ browser, newDevice, page, server, watch }) => {
  await becomeUser(page, server, PEOPLE.jonas)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Notifications' }).click()
  const emails = emailsOn(page)
  await expect(emails).toBeChecked()
  await page.route('**/api/profile/request-emails', (route) => route.abort())
  await emails.click()
  await expect(page.getByRole('alert').getByText('This setting could not be saved. Please try again.')).toBeVisible()
  await expect(emails).toBeChecked()
  await page.unroute('**/api/profile/request-emails')
  await pressEmails(page)
  await expect(emails).not.toBeChecked()
  await page.reload()
  await expect(emails).not.toBeChecked()

  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  await signIn(phone, PEOPLE.jonas)
  await phone.getByRole('button', { name: 'Settings' }).click()
  await phone.getByRole('link', { name: 'Notifications' }).click()
  await expect(emailsOn(phone)).not.toBeChecked()
  await pressEmails(phone)
  await expect(emailsOn(phone)).toBeChecked()

  const keys = await loadKeys({ secret: null, oldSecret: null, dataDir: server.dataDir }, { mayCreate: true })
  const userId = await page.evaluate(() => JSON.parse(localStorage.getItem('deeb.auth.token') ?? '').user.id)
  const inbox = await watch(await browser.newContext({ javaScriptEnabled: false })).newPage()
  await inbox.goto(unsubscribeUrl({ publicUrl: server.url }, keys, userId))
  await inbox.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(inbox.getByText('You no longer get these emails.')).toBeVisible()
  await inbox.goto(`${server.url}/unsubscribe?token=x`)
  await expect(inbox.getByText('This link does not work.')).toBeVisible()
  await expect(inbox.getByRole('button')).toHaveCount(0)
  await phone.reload()
  await expect(emailsOn(phone)).not.toBeChecked()
})

test('a declined request looks pending, and the decliner can still connect', { tag: '@heavy' }, async ({
  newDevice,
  server,
}) => {
  const [ada, jonas] = await Promise.all([atTeam(newDevice, server, 'ada'), atTeam(newDevice, server, 'jonas')])
  await search(ada).fill('jonas')
  await add(ada, 'Jonas Weber').click()
  await requests(jonas).click()
  await jonas.getByRole('button', { name: 'Decline' }).click()
  await expect(jonas.getByText('Request declined')).toBeVisible()
  await jonas.keyboard.press('Escape')

  await ada.reload()
  await search(ada).fill('weber')
  await takeBack(ada, 'Jonas Weber').click()
  await add(ada, 'Jonas Weber').click()
  await expect(ada.getByText('Requested')).toBeVisible()
  await expect(requests(jonas)).toHaveAccessibleName('Connection Requests')
  await search(jonas).fill('ada')
  await add(jonas, 'Ada Novak').click()
  await expect(jonas.getByText('Request accepted')).toBeVisible()
  await expect(member(ada, 'Jonas Weber')).toBeVisible()
})

test('all devices of a user follow the switch; the tabs of a browser share one live stream, and another tab takes it over', {
  tag: '@heavy',
}, async ({ newDevice, context, page, server }) => {
  const streams: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/live')) streams.push(request.url())
  })
  await becomeUser(page, server, MARA)
  await expect.poll(() => streams.length).toBe(1)
  const second = await context.newPage()
  await second.goto(`${server.url}/app/home`)
  await expect(second.getByRole('heading', { name: 'Hi mara' })).toBeVisible()

  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  const follows = phone.waitForResponse('**/api/live')
  await signIn(phone, MARA)
  await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(phone).toHaveTitle('Home · deeb')
  await follows
  await switchDeeb(page, 'on')
  await expect(deebSwitch(phone)).toBeChecked(live)
  await expect(phone).toHaveTitle('In deeb mode · Home · deeb')
  await expect(phone.getByRole('timer')).toBeVisible()
  await switchDeeb(phone, 'off')
  for (const tab of [page, second]) {
    await expect(deebSwitch(tab)).not.toBeChecked(live)
    await expect(tab).toHaveTitle('Home · deeb')
  }
  await switchDeeb(phone, 'on')
  for (const tab of [page, second]) await expect(deebSwitch(tab)).toBeChecked(live)
  expect(streams).toHaveLength(1)

  // Each tab ends and begins the session that the other one shows.
  await switchDeeb(second, 'off')
  await expect(deebSwitch(page)).not.toBeChecked(live)
  await switchDeeb(page, 'on')
  await expect(deebSwitch(second)).toBeChecked(live)

  await page.close()
  await expect.poll(() => streams.length).toBe(2)
  await switchDeeb(phone, 'off')
  await expect(deebSwitch(second)).not.toBeChecked()
})
