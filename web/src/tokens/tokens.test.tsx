import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { button, dialog, openScreen } from '../testing/open-screen.tsx'
import ConnectedApps from './ConnectedApps.tsx'

const [READ, CREATE, REVOKE] = ['GET /api/tokens', 'POST /api/tokens', 'POST /api/tokens/revoke']
const PROVEN = { hasPassword: true, company: null, secondFactor: null, provenUntil: '2099-01-01T00:00:00.000Z' }
const LIGHT = {
  ...{ id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', name: 'Desk light', scopes: ['switch', 'read'] },
  ...{ createdAt: '2020-06-15T09:00:00.000Z', expiresAt: '2099-06-15T09:00:00.000Z', lastUsedAt: null },
}
const CREATED = { token: 'deeb_pat_x', details: LIGHT }

const openApps = (tokens: object[], answers: Parameters<typeof openScreen>[1] = {}) =>
  openScreen(<ConnectedApps />, { 'GET /api/account/sign-in': PROVEN, [READ]: { tokens }, ...answers })
const form = () => dialog('Connect an app')
const create = () => form().getByRole('button', { name: 'Create token' })

async function fillForm(): Promise<void> {
  await button('Connect an app').click()
  await form().getByLabelText('Name', { exact: true }).fill(' Desk light ')
  await form().getByLabelText('switch deeb mode').click()
}

test('an app needs a name and a scope; its token is created once by a double click and shown once', async () => {
  const { answers, bodies, container } = await openApps([], { [CREATE]: CREATED })
  await button('Connect an app').click()
  await create().click()
  await expect.element(form().getByText('Give the app a name.')).toBeVisible()
  await expect.element(form().getByText('Choose what it may do.')).toBeVisible()
  await form().getByLabelText('Name', { exact: true }).fill(' Desk light ')
  await form().getByLabelText('switch deeb mode').click()
  await form().getByLabelText('30 days').click()
  answers[READ] = { tokens: [LIGHT] }
  await create().dblClick()
  const shown = dialog('The token of this app')
  await expect.element(shown.getByLabelText('Token')).toHaveValue(CREATED.token)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect.element(button('Disconnect Desk light')).toBeVisible()
  expect(bodies(CREATE)).toEqual([{ name: 'Desk light', scopes: ['switch'], days: 30 }])
  expect(container.innerHTML).not.toContain(CREATED.token)
})

test.each([
  ['too_many_tokens', 'You have 20 connected apps, the most that an account can have. Disconnect one first.'],
  ['too_many_attempts', 'Too many new tokens. Wait a while and try again.'],
  ['unavailable', 'The app was not connected. Please try again.'],
])('an app that is refused as %s says so in its dialog', async (code, text) => {
  await openApps([], { [CREATE]: code })
  await fillForm()
  await create().click()
  await expect.element(form().getByText(text).first()).toBeVisible()
  await expect.element(form().getByLabelText('Name', { exact: true })).toHaveValue(' Desk light ')
})

test('a token outlives the sign-in, so its creation asks who it is', async () => {
  const screen = await openApps([], { [CREATE]: 'proof_needed' })
  await fillForm()
  await create().click()
  const proof = dialog('Show that it is you')
  screen.answers['POST /api/account/prove'] = 'wrong_password'
  await proof.getByLabelText('Password').fill('not this one')
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect.element(proof.getByText('This is not your password.')).toBeVisible()
  screen.answers['POST /api/account/prove'] = { provenUntil: PROVEN.provenUntil }
  screen.answers[CREATE] = CREATED
  await proof.getByLabelText('Password').fill('quiet-otter-41')
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect.element(dialog('The token of this app')).toBeVisible()
})

test('each app says what it may do, when it did last, and until when', async () => {
  const used = { ...LIGHT, id: LIGHT.id.replace(/a$/, '1'), name: 'Lamp', lastUsedAt: LIGHT.createdAt }
  await openApps([LIGHT, { ...used, scopes: ['sign'], expiresAt: '2020-07-15T09:00:00.000Z' }])
  const may = 'May switch deeb mode, and see whether it is on; read your goals, weeks and sessions.'
  await expect.element(page.getByText(new RegExp(`^${may} Not used yet\\. Expires on `))).toBeVisible()
  await expect.element(page.getByText(/door sign\. Last used at about .+ Expired on /)).toBeVisible()
})

test('an app that could not be disconnected keeps the question, and a disconnected one leaves the list', async () => {
  const { answers, bodies } = await openApps([LIGHT], { [REVOKE]: 'unavailable' })
  await button('Disconnect Desk light').click()
  const question = dialog('Disconnect Desk light?')
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(question.getByText('The app was not disconnected. Please try again.').first()).toBeVisible()
  answers[REVOKE] = { revoked: true }
  answers[READ] = { tokens: [] }
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(page.getByText('Desk light disconnected')).toBeVisible()
  await expect.element(button('Disconnect Desk light')).not.toBeInTheDocument()
  expect(bodies(REVOKE)).toEqual(Array(2).fill({ id: LIGHT.id }))
})

test('a list that cannot be loaded can be read again', async () => {
  const { answers } = await openApps([], { [READ]: 'unavailable' })
  await expect.element(page.getByText('This could not be loaded.')).toBeVisible()
  expect(button('Connect an app').query()).toBeNull()
  answers[READ] = { tokens: [LIGHT] }
  await button('Try again').click()
  await expect.element(button('Disconnect Desk light')).toBeVisible()
})

test('the lines that install the command line name this server, and are copied', async () => {
  await openApps([])
  await button('Command line').click()
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  for (const line of [
    `npm install --global ${location.origin}/cli.tgz`,
    `deeb login --server ${location.origin}`,
    `npx --yes --package=${location.origin}/cli.tgz -- deeb mcp`,
  ])
    await expect.element(page.getByText(line, { exact: true })).toBeVisible()
  await button('Copy: Install it, with Node.js 22 or 24').click()
  expect(copied).toHaveBeenLastCalledWith(`npm install --global ${location.origin}/cli.tgz`)
  await expect.element(page.getByText('Line copied')).toBeVisible()
})

test('the extension of this server is a file to download, with the way to load it', async () => {
  await openApps([])
  await button('Browser extension').click()
  const link = page.getByRole('link', { name: 'Download the extension' })
  await expect.element(link).toHaveAttribute('href', '/extension.zip')
  await expect.element(page.getByText(/open chrome:\/\/extensions/)).toBeVisible()
})
