import { expect, type Page } from '@playwright/test'
import type { TestServer } from '../server.ts'
import {
  becomeUser,
  type Calls,
  expectClean,
  expectNoSidewaysScroll,
  MARA,
  makeAccount,
  newestLink,
  type Person,
  readQrCode,
  signIn,
  switchDeeb,
  test,
} from '../test.ts'

const colleague = (name: string): Person => ({ ...MARA, email: `${name}@fjordlab.example`, username: name })
const [ADA, BEN] = [colleague('ada.novak'), colleague('ben.hoff')]

/** The time limit for live events. It is much shorter than the interval of any refetch. */
const live = { timeout: 10_000 }

/** The row of a person in the team. The bell in it is a button too, with a name that begins otherwise. */
const member = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Team members' }).getByRole('button', { name: new RegExp(`^${name}`) })
const question = (page: Page, name: string) => page.getByRole('dialog', { name })
const code = (page: Page, circle: string) => page.getByRole('img', { name: `QR code to join ${circle}` })

async function toTeam(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Team/ }).click()
}

/** Creates a circle through the screens, from Home, and returns the link of its QR code. */
async function createCircle(page: Page, name: string): Promise<string> {
  await toTeam(page)
  await page.getByRole('link', { name: 'Circles' }).click()
  await page.getByRole('button', { name: 'Create a circle' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create', exact: true }).dblclick()
  await expect(code(page, name)).toBeVisible()
  return readQrCode(page)
}

/** Counts the taps on the pages that this tab opens from now on. */
async function countTaps(page: Page): Promise<() => number> {
  let taps = 0
  await page.exposeFunction('countTap', () => (taps += 1))
  await page.addInitScript('addEventListener("pointerdown", () => countTap(), true)')
  return () => taps
}

/** Somebody of the same company, with their calls. */
async function makeColleague(page: Page, server: TestServer, person: Person): Promise<Calls> {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('There is no browser.')
  return (await makeAccount(context.request, server, person)).call
}

/** Without the signature of the person who sends it. */
const inviteOf = (link: string) => new URL(link).hash.slice(1, 23)

test('a colleague without an account scans the QR code, joins in 5 taps and 2 fields, and both see each other live', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await becomeUser(page, server, ADA)
  const link = await createCircle(page, 'Backend')
  expect(link).toMatch(new RegExp(`^${server.url}/app/circle#[\\w-]{70}$`))
  await expectClean(page)
  await expectNoSidewaysScroll(page)

  const phone = await newDevice()
  const requests: string[] = []
  phone.on('request', (request) => requests.push([request.url(), ...Object.values(request.headers())].join(' ')))
  await phone.goto(link)
  await expect(phone.getByRole('heading', { name: 'Ada invites you to Backend' })).toBeVisible()
  expect(phone.url()).toBe(`${server.url}/app/circle`)
  await expectClean(phone)
  await phone.getByLabel('Your work email').fill('ben.hoff')
  await phone.getByLabel('Password', { exact: true }).fill(BEN.password)
  await phone.getByRole('button', { name: 'Join' }).click()
  await expect(phone.getByText('Account Created!')).toBeVisible()
  // The second tap is the link of the email, which opens a new tab.
  const tab = await phone.context().newPage()
  await tab.goto(await newestLink(server, BEN))
  await tab.getByRole('button', { name: 'Confirm' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('button', { name: 'Skip (1h daily)' }).click()

  await expect(tab.getByText('You see each other from now on.')).toBeVisible()
  await expect(member(tab, 'Ada Novak ada.novak@fjordlab.example Backend Available')).toBeVisible()
  // Who shows the code sees who has joined.
  await expect(page.getByRole('dialog').getByText('2 people in it')).toBeVisible(live)
  await expect(code(page, 'Backend')).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Back to Team' }).click()
  await expect(member(page, 'Ben Hoff')).toContainText('Available')
  await switchDeeb(tab, 'on')
  await expect(member(page, 'Ben Hoff')).toContainText('In deeb mode', live)

  // The secret is in no address, referrer or storage afterwards.
  const secret = inviteOf(link)
  expect(requests.filter((text) => text.includes(secret))).toEqual([])
  const left = await tab.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]))
  expect(left + tab.url()).not.toContain(secret)
  await tab.goBack()
  await expect(tab.getByRole('button', { name: 'Join' })).toBeHidden()
})

test('a sign-up that is confirmed on the device of somebody else joins the circle there', { tag: '@heavy' }, async ({
  page,
  newDevice,
  server,
}) => {
  const ada = await makeColleague(page, server, ADA)
  const { invite } = await ada('POST', '/api/circles', { name: 'Backend' })
  await page.goto(`${server.url}/app/circle#${invite}`)
  await page.getByLabel('Your work email').fill(BEN.email)
  await page.getByLabel('Password', { exact: true }).fill(BEN.password)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByText('Account Created!')).toBeVisible()
  const phone = await newDevice()
  await becomeUser(phone, server, colleague('cleo.stahl'))
  await phone.goto(await newestLink(server, BEN))
  await phone.getByRole('button', { name: 'Sign out and continue' }).click()
  await phone.getByLabel('Password').fill(BEN.password)
  await phone.getByRole('button', { name: 'Confirm' }).click()
  await phone.getByRole('textbox', { name: 'Username' }).fill('ben')
  await phone.getByRole('button', { name: 'Continue' }).click()
  await phone.getByRole('button', { name: 'Save Goals' }).click()
  await expect(phone.getByText('You joined Backend', { exact: true })).toBeVisible()
})

test('the link leads to its preview after signing in; that of another company says what to do', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  const ada = await makeColleague(page, server, ADA)
  const { invite } = await ada('POST', '/api/circles', { name: 'Backend' })
  await becomeUser(page, server, BEN)
  const other = await newDevice()
  await other.goto(`${server.url}/app/circle#${invite}`)
  await other.getByRole('button', { name: 'I have an account' }).click()
  await signIn(other, BEN)
  await expect(other.getByRole('heading', { name: 'Backend at fjordlab.example' })).toBeVisible()
  await other.getByRole('button', { name: 'Not now' }).click()
  await expect(other.getByText('No team connections yet.')).toBeVisible()

  await page.goto(`${server.url}/app/circle#${invite}`)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(member(page, 'Ada Novak')).toBeVisible()
  await page.goto(`${server.url}/app/circle#${invite}`)
  await expect(page.getByText(/^You are in this circle/)).toBeVisible()
  await page.getByRole('button', { name: 'Open circles' }).click()
  await expect(page.getByRole('button', { name: 'Backend 2 people' })).toBeVisible()

  const stranger = await newDevice()
  await becomeUser(stranger, server, { ...MARA, email: 'eve.stone@otherhouse.example', username: 'eve' })
  await stranger.goto(`${server.url}/app/circle#${invite}`)
  await expect(stranger.getByText('You are signed in as eve.stone@otherhouse.example.')).toBeVisible()
  // Signing out leads back to the invitation.
  await stranger.getByRole('button', { name: 'Sign Out' }).click()
  await expect(stranger.getByRole('heading', { name: 'You are invited to Backend' })).toBeVisible()
})

test('hiding and closing end sight live on both sides, and hidden people can be shown again', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  const adaCalls = await becomeUser(page, server, ADA)
  const { invite } = await adaCalls('POST', '/api/circles', { name: 'Backend' })
  const ben = await newDevice()
  const benCalls = await becomeUser(ben, server, BEN)
  await benCalls('POST', '/api/circles/join', { invite })
  await Promise.all([toTeam(page), toTeam(ben)])
  await expect(member(ben, 'Ada Novak')).toBeVisible()

  await member(page, 'Ben Hoff').click()
  const hide = page.getByRole('button', { name: 'Hide from Ben' })
  await hide.click()
  const hiding = question(page, 'Hide from Ben?')
  await expect(hiding).toHaveAccessibleDescription(
    "You no longer see each other's deeb mode in Backend. Ben is not told.",
  )
  await hiding.getByRole('button', { name: 'Cancel' }).click()
  await expect(hide).toBeFocused()
  await hide.click()
  await hiding.getByRole('button', { name: 'Hide' }).click()
  await expect(member(page, 'Ben Hoff')).toBeHidden()
  await expect(member(ben, 'Ada Novak')).toBeHidden(live)

  await page.getByRole('link', { name: 'Circles', exact: true }).click()
  await page.getByRole('button', { name: 'Show Ben Hoff again' }).click()
  await expect(page.getByRole('heading', { name: 'Hidden' })).toBeHidden()
  await expect(member(ben, 'Ada Novak')).toBeVisible(live)
  await expectClean(page)

  const change = async (circle: string, action: string) => {
    await page.getByRole('button', { name: `Change ${circle}` }).click()
    await question(page, circle).getByRole('button', { name: action }).click()
  }
  await change('Backend', 'Rename')
  await page.getByRole('textbox', { name: 'Name' }).fill('Choir')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(member(ben, 'Ada Novak')).toContainText('Choir', live)
  await change('Choir', 'Remove link')
  await question(page, 'Remove the link?').getByRole('button', { name: 'Remove link' }).click()
  await expect(page.getByText('Nobody can join now.')).toBeVisible()
  await change('Choir', 'Close circle')
  await question(page, 'Close Choir?').getByRole('button', { name: 'Close circle' }).click()
  await expect(page.getByText('No circles yet.')).toBeVisible()
  await expect(member(ben, 'Ada Novak')).toBeHidden(live)
})

test('forty people see each other: who joins taps once', { tag: '@heavy' }, async ({ page, newDevice, server }) => {
  test.setTimeout(300_000)
  const everybody = (of: Page) => of.getByRole('list', { name: 'Team members' }).getByRole('listitem')
  const tapsOfAda = await countTaps(page)
  await becomeUser(page, server, ADA)
  const link = await createCircle(page, 'Everybody')
  // Team, Circles, the button there, and a double click on Create.
  await expect.poll(tapsOfAda).toBe(5)
  // The crowd joins by the call of the button, which the phones below press.
  const crowd = Array.from({ length: 37 }, (_, index) => colleague(`person${index}`))
  while (crowd.length > 0) {
    const calls = await Promise.all(crowd.splice(0, 6).map((person) => makeColleague(page, server, person)))
    await Promise.all(calls.map((call) => call('POST', '/api/circles/join', { invite: inviteOf(link) })))
  }
  const phones: { phone: Page; taps: () => number }[] = []
  for (const person of [BEN, colleague('cleo.stahl')]) {
    const phone = await newDevice()
    const taps = await countTaps(phone)
    await becomeUser(phone, server, person)
    await phone.goto(link)
    await phone.getByRole('button', { name: 'Join' }).click()
    phones.push({ phone, taps })
  }
  for (const { phone, taps } of phones) {
    await expect(everybody(phone)).toHaveCount(39, live)
    expect(taps()).toBe(1)
  }
  await expect(page.getByText('40 people in it')).toBeVisible(live)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Back to Team' }).click()
  await expect(everybody(page)).toHaveCount(39)
})

test.describe('a day later', () => {
  test.use({ startsAt: '2026-06-15T09:00:00Z' })

  test('newcomers are announced to all, and seen 24 hours after joining', { tag: '@heavy' }, async ({
    page,
    server,
    pass,
  }) => {
    const ada = await becomeUser(page, server, ADA)
    const { invite } = await ada('POST', '/api/circles', { name: 'Backend' })
    await pass(24 * 60)
    await toTeam(page)
    const ben = await makeColleague(page, server, BEN)
    await ben('POST', '/api/circles/join', { invite })
    await expect(page.getByText(/^Ben joined Backend[.] You see each other from tomorrow, \d\d:\d\d[.]$/)).toBeVisible(
      live,
    )
    expect((await ben('GET', '/api/team')).throughCircles).toEqual([])
    await expectClean(page)
    const newcomer = page.getByRole('list', { name: 'Newcomers' }).getByRole('button', { name: 'Ben' })
    await newcomer.click()
    await page.getByRole('button', { name: 'Hide from Ben' }).click()
    await expect(question(page, 'Hide from Ben?')).toHaveAccessibleDescription(
      "You will not see each other's deeb mode in Backend. Ben is not told.",
    )
    await page.getByRole('button', { name: 'Cancel' }).click()
    await newcomer.click()
    await page.getByRole('button', { name: 'Leave circle Backend' }).click()
    await expect(question(page, 'Leave Backend?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await pass(24 * 60)
    await expect(member(page, 'Ben Hoff')).toBeVisible()
    await expect(page.getByText(/^Ben joined Backend/)).toBeHidden()
  })
})
