import { expect, type Page } from '@playwright/test'
import { becomeUser, type Calls, MARA, makeAccount, test } from '../test.ts'
import { shot } from './shot.ts'

// Not near midnight, wherever the test runs.
test.use({ startsAt: '2026-06-11T08:00:00Z' })

const NAMES = ['ada.novak', 'ben.hoff', 'elif.aydin', 'jonas.weber']
const NEWCOMERS = ['priya.raman', 'tom.falk']

test('circles: none, QR code, members, preview, newcomer, hidden, refused', async ({ browser, page, server, pass }, {
  project,
}) => {
  test.setTimeout(240_000)
  const shoot = (name: string, fullPage = false) => shot(page, `${project.name}-circles-${name}`, { fullPage })
  const people: Record<string, Calls> = {}
  async function make(name: string): Promise<Calls> {
    const { request } = await browser.newContext()
    return (await makeAccount(request, server, { ...MARA, email: `${name}@fjordlab.example`, username: name })).call
  }
  for (const name of NAMES) people[name] = await make(name)
  const visitor = await browser.newContext({ viewport: page.viewportSize() })
  const call = await becomeUser(page, server, MARA)
  await toTeam(page)
  await expect(page.getByText('No team connections yet.')).toBeVisible()
  await shoot('team-none')
  await page.getByRole('link', { name: 'Circles' }).click()
  await expect(page.getByText('No circles yet.')).toBeVisible()
  await shoot('none')
  await page.getByRole('button', { name: 'Create a circle' }).click()
  await shoot('create')
  await page.getByRole('textbox', { name: 'Name' }).fill('Backend')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('img', { name: 'QR code to join Backend' })).toBeVisible()
  await shoot('qr')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await shoot('one')

  const { circles } = await call('GET', '/api/circles')
  const { invite } = circles[0]
  for (const name of NAMES) await people[name]?.('POST', '/api/circles/join', { invite })
  const session = (last: number) => ({ sessionId: `01900000-0000-7000-8000-00000000000${last}`, timeZone: 'UTC' })
  await people['ada.novak']?.('POST', '/api/focus/start', session(1))
  await people['ben.hoff']?.('POST', '/api/focus/start', { ...session(2), targetMinutes: 50 })
  const choir = await people['ada.novak']?.('POST', '/api/circles', { name: 'Choir' })
  await call('POST', '/api/circles/join', { invite: choir.invite })
  await expect(page.getByRole('button', { name: 'Choir 2 people' })).toBeVisible()
  await page.getByRole('button', { name: 'Backend 5 people' }).click()
  await page.getByRole('button', { name: 'Backend 5 people' }).click()
  await shoot('keeper', true)
  await page.getByRole('button', { name: 'Remove Ben Hoff' }).click()
  await shoot('remove')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Choir 2 people' }).click()
  await shoot('member', true)
  await page.getByRole('button', { name: 'Back to Team' }).click()
  await expect(page.getByRole('radio', { name: 'Backend' })).toBeAttached()
  await shoot('team', true)
  await page.getByRole('button', { name: /^Ben Hoff/ }).click()
  await shoot('hide')
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await expect(page.getByText('Ben is hidden')).toBeVisible()
  await shoot('team-hidden')
  await page.getByRole('link', { name: 'Circles' }).click()
  await page.getByRole('heading', { name: 'Hidden' }).scrollIntoViewIfNeeded()
  await shoot('hidden', true)

  await pass(25 * 60)
  for (const name of NEWCOMERS) await (await make(name))('POST', '/api/circles/join', { invite })
  await page.getByRole('button', { name: 'Back to Team' }).click()
  await expect(page.getByText(/^Priya joined Backend/)).toBeVisible()
  await shoot('newcomers', true)

  const other = await visitor.newPage()
  await other.goto(`${server.url}/app/circle#${invite}`)
  await expect(other.getByRole('button', { name: 'Join' })).toBeVisible()
  await shot(other, `${project.name}-circles-visitor`)
  const eve = { ...MARA, email: 'eve.stone@fjordlab.example', username: 'eve' }
  await becomeUser(other, server, eve)
  await other.goto(`${server.url}/app/circle#${invite}`)
  await expect(other.getByRole('button', { name: 'Join' })).toBeVisible()
  await shot(other, `${project.name}-circles-preview`)
  await other.getByRole('button', { name: 'Join' }).click()
  await expect(other.getByText('You joined Backend', { exact: true })).toBeVisible()
  await expect(other.getByText(/^You joined Backend[.] You and its members/)).toBeVisible()
  await shot(other, `${project.name}-circles-joined`)
  await other.goto(`${server.url}/app/circle#${invite}x`)
  await expect(other.getByText('This link does not work')).toBeVisible()
  await shot(other, `${project.name}-circles-refused`)
})

test('circles: a full one', async ({ browser, page, server }, { project }) => {
  test.setTimeout(240_000)
  const shoot = (name: string, fullPage = false) => shot(page, `${project.name}-circles-full-${name}`, { fullPage })
  const call = await becomeUser(page, server, MARA)
  const { invite } = await call('POST', '/api/circles', { name: 'Everybody' })
  const others = Array.from({ length: 49 }, (_, index) => `${NAMES[index % NAMES.length]}${index}`)
  for (let from = 0; from < others.length; from += 7) {
    await Promise.all(
      others.slice(from, from + 7).map(async (username) => {
        const { request } = await browser.newContext()
        const person = { ...MARA, email: `${username}@fjordlab.example`, username }
        await (await makeAccount(request, server, person)).call('POST', '/api/circles/join', { invite })
      }),
    )
  }
  await toTeam(page)
  await expect(page.getByRole('list', { name: 'Team members' }).getByRole('listitem')).toHaveCount(49)
  await shoot('team', true)
  await page.getByRole('link', { name: 'Circles' }).click()
  await expect(page.getByRole('list', { name: 'Members of Everybody' }).getByRole('listitem')).toHaveCount(50)
  await shoot('members', true)
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText('50 people in it')).toBeVisible()
  await shoot('qr')

  const late = await (await browser.newContext({ viewport: page.viewportSize() })).newPage()
  await becomeUser(late, server, { ...MARA, email: 'eve.stone@fjordlab.example', username: 'eve' })
  await late.goto(`${server.url}/app/circle#${invite}`)
  await late.getByRole('button', { name: 'Join' }).click()
  await expect(late.getByRole('main').getByText(/^Everybody is full/)).toBeVisible()
  await shot(late, `${project.name}-circles-full-preview`)
})

async function toTeam(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Team/ }).click()
}
