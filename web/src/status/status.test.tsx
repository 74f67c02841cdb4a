import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import StatusInChat from './StatusInChat.tsx'

const [READ, CHANGE, TEST] = ['GET /api/status', 'PUT /api/status', 'POST /api/status/test']
const [LINK, BY_TOKEN, UNLINK] = ['POST /api/status/link', 'POST /api/status/link-by-token', 'POST /api/status/unlink']
const PROVEN = { hasPassword: true, company: null, secondFactor: null, provenUntil: '2099-01-01T00:00:00.000Z' }
const CONNECTED = {
  ...{ accountName: 'mara', workspaceName: 'Fjordlab', isOn: true, withDnd: true, words: null },
  ...{ isRefused: false, testUntil: null, last: null },
}
const START = window.location.href

afterEach(() => window.history.replaceState(null, '', START))

/** The screen with one chat system. */
const chat = (system: string, link: object | null = null, isOffered = true) => ({
  systems: [{ system, isOffered, link }],
})
const openStatus = (status: object | string, answers: Parameters<typeof openScreen>[1] = {}) =>
  openScreen(<StatusInChat />, { 'GET /api/account/sign-in': PROVEN, [READ]: status, ...answers })

test('a server without chats leads to Settings, and what cannot be loaded can be read again', async () => {
  const { answers } = await openStatus('unavailable')
  await expect.element(page.getByText('This could not be loaded')).toBeVisible()
  answers[READ] = { systems: [] }
  await button('Try again').click()
  await expect.poll(() => window.location.pathname).toBe('/app/settings')
})

test('each chat system says who sees it, and one that ends no status says that too', async () => {
  const systems = ['slack', 'microsoft', 'google', 'mattermost', 'zulip']
  await openStatus({ systems: systems.map((system) => ({ system, isOffered: true, link: null })) })
  for (const text of [
    /^Everyone in your Slack workspace/,
    /^Everyone who sees your presence in Microsoft Teams/,
    /^Everyone who can chat with you in Google Chat/,
    /^Everyone on your Mattermost server/,
    /^Everyone in your Zulip organization will see this. Zulip ends no status by itself/,
  ]) {
    await expect.element(page.getByText(text)).toBeVisible()
  }
})

test('a connection that could not begin says so at its button, and one without a proof asks for it', async () => {
  const { answers, bodies } = await openStatus(chat('slack'), { [LINK]: 'unavailable' })
  await button('Connect Slack').click()
  await expectFailure('Slack could not be connected. Please try again.')
  answers[LINK] = 'proof_needed'
  await button('Connect Slack').click()
  await expect.element(dialog('Show that it is you')).toBeVisible()
  expect(bodies(LINK)).toEqual(Array(2).fill({ system: 'slack' }))
})

test.each([
  ['slack=connected', 'Slack connected'],
  ['slack=denied', 'You did not allow it, so Slack is not connected.'],
  ['slack=expired', 'This took too long, or began in another browser. Please connect it again.'],
  ['google=refused', 'Google Chat refused the connection. Please try again, and allow all that it asks for.'],
  ['slack=taken', 'Another deeb account has connected this account of Slack. Disconnect it there first.'],
  ['slack=unavailable', 'Slack does not answer. Please try again later.'],
  ['slack=unknown', 'Slack is not connected.'],
])('the return from a chat system with %s is reported once', async (fragment, text) => {
  window.history.replaceState(null, '', `${START.split('#')[0]}#${fragment}`)
  await openStatus(chat('slack'))
  await expect.element(page.getByText(text)).toBeVisible()
  expect(window.location.hash).toBe('')
})

test.each([
  ['invalid_input', 'This is not the address of a server.'],
  ['chat_unavailable', 'There is no answer from this address.'],
  ['chat_refused', 'Zulip refused this. Check the address and the token.'],
  ['chat_taken', 'Another deeb account has connected this account.'],
  ['unavailable', 'Zulip could not be connected. Please try again.'],
])('a token that is refused as %s says so in its dialog, which connects on the next try', async (code, text) => {
  const { answers, bodies } = await openStatus(chat('zulip'), { [BY_TOKEN]: code })
  await button('Connect Zulip').click()
  const connecting = dialog('Connect Zulip')
  await connecting.getByLabelText('Server').fill('zulip.example')
  await connecting.getByLabelText('Email in Zulip').fill('mara@fjordlab.example')
  await connecting.getByLabelText('API key').fill('x')
  await connecting.getByRole('button', { name: 'Connect' }).click()
  await expect.element(connecting.getByText(text).first()).toBeVisible()
  answers[BY_TOKEN] = { system: 'zulip' }
  answers[READ] = chat('zulip', CONNECTED)
  await connecting.getByRole('button', { name: 'Connect' }).click()
  await expect.element(page.getByText('Connected as mara in Fjordlab.')).toBeVisible()
  const input = { system: 'zulip', server: 'zulip.example', token: 'x', email: 'mara@fjordlab.example' }
  expect(bodies(BY_TOKEN)).toEqual([input, input])
})

test('the parts of a connected chat are switched, and a change that fails stays at its switch', async () => {
  const { answers, bodies } = await openStatus(chat('slack', CONNECTED), { [CHANGE]: 'unavailable' })
  const pause = page.getByRole('switch', { name: 'Pause notifications there' })
  await pause.click()
  await expectFailure('This setting could not be saved. Please try again.')
  await expect.element(pause).toBeChecked()
  answers[CHANGE] = { system: 'slack' }
  answers[READ] = chat('slack', { ...CONNECTED, isOn: false })
  await page.getByRole('switch', { name: 'Show deeb mode in Slack' }).click()
  await expect.element(pause).toHaveAttribute('aria-disabled', 'true')
  expect(bodies(CHANGE).at(-1)).toEqual({ system: 'slack', isOn: false, withDnd: true, words: null })
})

test('own words are saved, and empty ones are those of deeb', async () => {
  const { bodies } = await openStatus(chat('slack', { ...CONNECTED, words: 'writing' }), {
    [CHANGE]: { system: 'slack' },
  })
  const words = page.getByLabelText('Your words in Slack')
  await expect.element(words).toHaveValue('writing')
  await words.fill(' in a call ')
  await button('Save words').click()
  await expect.element(page.getByText('Words saved')).toBeVisible()
  await words.fill('  ')
  await button('Save words').click()
  await expect.poll(() => bodies(CHANGE)).toMatchObject([{ words: 'in a call' }, { words: null }])
})

test('a chat without a text has no words, and one without a pause no switch for it', async () => {
  const { answers, queryClient } = await openStatus(chat('google', CONNECTED))
  await expect.element(page.getByRole('switch', { name: 'Show deeb mode in Google Chat' })).toBeVisible()
  expect(page.getByLabelText(/^Your words/).query()).toBeNull()
  expect(page.getByRole('switch').elements()).toHaveLength(1)
  answers[READ] = chat('zulip', CONNECTED)
  await queryClient.invalidateQueries()
  await expect.element(page.getByLabelText('Your words in Zulip')).toBeVisible()
  expect(page.getByRole('switch').elements()).toHaveLength(1)
})

test('a status is set for a minute, with its progress and its result', async () => {
  const { answers, queryClient } = await openStatus(chat('slack', CONNECTED), { [TEST]: 'unavailable' })
  await expect.element(page.getByText('Nothing has been set yet.')).toBeVisible()
  await button('Set it for 1 minute').click()
  await expectFailure('The test could not be started. Wait a minute and try again.')
  const testUntil = new Date(Date.now() + 60_000).toISOString()
  answers[TEST] = { testUntil }
  answers[READ] = chat('slack', { ...CONNECTED, testUntil })
  await button('Set it for 1 minute').click()
  await expect.element(page.getByText('Setting it...')).toBeVisible()
  for (const [result, text] of [
    ['set', /^Set at /],
    ['left', /^Left as it was at /],
    ['failed', /^Slack refused it at /],
  ] as const) {
    answers[READ] = chat('slack', { ...CONNECTED, testUntil, last: { result, at: new Date().toISOString() } })
    await queryClient.invalidateQueries()
    await expect.element(page.getByText(text)).toBeVisible()
  }
})

test('a chat that has refused the connection is connected again, and one that is no longer offered only disconnected', async () => {
  const refused = { ...CONNECTED, isRefused: true }
  const { answers, queryClient } = await openStatus(chat('slack', refused))
  await expect.element(page.getByText(/^Slack has refused the connection/)).toBeVisible()
  await expect.element(button('Connect Slack again')).toBeVisible()
  expect(button('Disconnect Slack').query()).toBeNull()
  answers[READ] = chat('slack', refused, false)
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('It is no longer offered here.')).toBeVisible()
  await expect.element(button('Disconnect Slack')).toBeVisible()
  expect(button('Connect Slack again').query()).toBeNull()
})

test('a chat that could not be disconnected keeps the question', async () => {
  const { answers } = await openStatus(chat('slack', CONNECTED), { [UNLINK]: 'unavailable' })
  await button('Disconnect Slack').click()
  const question = dialog('Disconnect Slack?')
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(question.getByText('Slack is still connected. Please try again.').first()).toBeVisible()
  answers[UNLINK] = { system: 'slack' }
  answers[READ] = chat('slack')
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(button('Connect Slack')).toBeVisible()
})
