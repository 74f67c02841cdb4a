import '../testing/british.ts'
import '../testing/signed-in.ts'
import '../ui/tokens.css'
import type { Delivery, Webhook } from '@deeb/core/webhooks/api'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import { emulateTimeZone } from '../ui/testing/emulated-time-zone.ts'
import WebhooksSettings from './WebhooksSettings.tsx'
import { deliveryText, messageText, stateNote, stateText } from './webhook-texts.ts'

const [READ, ADD, CHANGE] = ['GET /api/webhooks', 'POST /api/webhooks', 'PUT /api/webhooks']
const [SECRET, DELETE, TEST] = ['POST /api/webhooks/secret', 'POST /api/webhooks/delete', 'POST /api/webhooks/test']
const [DELIVERIES, AGAIN] = ['GET /api/webhooks/deliveries', 'POST /api/webhooks/deliveries/again']

const ID = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const PROVEN = { hasPassword: true, company: null, secondFactor: null, provenUntil: '2099-01-01T00:00:00.000Z' }
const LAMP: Webhook = {
  ...{ id: ID, url: 'https://lamp.example/hook', events: ['focus.started', 'focus.ended'] },
  ...{ createdAt: '2020-06-15T09:00:00.000Z', offReason: null, failingSince: null },
}
const SENT: Delivery = {
  ...{ id: ID, type: 'focus.started', createdAt: '2020-06-15T09:00:00.000Z', attempts: 1, failure: null },
  ...{ triedAt: '2020-06-15T09:00:00.000Z', deliveredAt: '2020-06-15T09:00:00.000Z', nextTryAt: null, status: 204 },
}

function openWebhooks(webhooks: Webhook[], answers: Parameters<typeof openScreen>[1] = {}) {
  return openScreen(<WebhooksSettings />, {
    'GET /api/account/sign-in': PROVEN,
    [READ]: { isOffered: true, webhooks },
    [DELIVERIES]: { deliveries: [] },
    ...answers,
  })
}

const row = () => page.getByRole('button', { name: /^lamp\.example/ })
const adding = () => dialog('Add a webhook')
const shown = () => dialog('The secret of this webhook')

async function add(url: string): Promise<void> {
  await adding().getByLabelText('Address').fill(url)
  await adding().getByRole('button', { name: 'Add' }).click()
}

test('a webhook is added with its events, and its secret is shown once', async () => {
  const { answers, bodies, container } = await openWebhooks([], { [ADD]: 'invalid_input' })
  await button('Add a webhook').click()
  await add('http://192.168.0.1/hook')
  await expect.element(adding().getByText(/^Enter an address that begins with https:\/\//)).toBeVisible()
  for (const event of ['focus.started', 'focus.ended', 'goal.reached']) await adding().getByText(`(${event})`).click()
  await adding().getByRole('button', { name: 'Add' }).click()
  await expect.element(adding().getByText('Choose at least one event.').first()).toBeVisible()
  await adding().getByText('(goal.reached)').click()
  answers[ADD] = { webhook: LAMP, secret: 'whsec_x' }
  answers[READ] = { isOffered: true, webhooks: [LAMP] }
  await adding().getByLabelText('Address').fill(` ${LAMP.url} `)
  await adding().getByRole('button', { name: 'Add' }).dblClick()
  await expect.element(shown().getByLabelText('Secret')).toHaveValue('whsec_x')
  await shown().getByRole('button', { name: 'Done' }).click()
  await expect.element(row()).toBeVisible()
  expect(bodies(ADD)).toEqual([
    { url: 'http://192.168.0.1/hook', events: ['focus.started', 'focus.ended', 'goal.reached'] },
    { url: LAMP.url, events: ['goal.reached'] },
  ])
  expect(container.innerHTML).not.toContain('whsec_')
})

test.each([
  ['too_many_webhooks', 'You have 10 webhooks, the most that you can have. Delete one first.'],
  ['too_many_attempts', 'Too many changes. Wait a while and try again.'],
  ['unavailable', 'This could not be saved. Please try again.'],
])('a webhook that is refused as %s says so in its dialog', async (code, text) => {
  await openWebhooks([], { [ADD]: code })
  await button('Add a webhook').click()
  await add(LAMP.url)
  await expect.element(adding().getByText(text).first()).toBeVisible()
})

test('a webhook that is not proven to be of the user asks for the password first', async () => {
  const { answers } = await openWebhooks([], { [ADD]: 'proof_needed' })
  await button('Add a webhook').click()
  await add(LAMP.url)
  const proof = dialog('Show that it is you')
  await proof.getByLabelText('Password').fill('quiet-otter-41')
  answers['POST /api/account/prove'] = { provenUntil: PROVEN.provenUntil }
  answers[ADD] = { webhook: LAMP, secret: 'whsec_x' }
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect.element(shown()).toBeVisible()
})

test('a switched-off server adds none, and ten are the most', async () => {
  const { answers, queryClient } = await openWebhooks([LAMP], { [READ]: { isOffered: false, webhooks: [LAMP] } })
  await expect.element(page.getByText('Your administrator has switched webhooks off.')).toBeVisible()
  expect(button('Add a webhook').query()).toBeNull()
  const ten = Array.from({ length: 10 }, (_, n) => ({ ...LAMP, id: ID.replace(/a$/, `${n}`) }))
  answers[READ] = { isOffered: true, webhooks: ten }
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('You have 10 webhooks, the most that you can have.')).toBeVisible()
  expect(button('Add a webhook').query()).toBeNull()
})

test('a list that cannot be loaded can be read again', async () => {
  const { answers } = await openWebhooks([], { [READ]: 'unavailable' })
  await expect.element(page.getByText('This could not be loaded.')).toBeVisible()
  answers[READ] = { isOffered: true, webhooks: [LAMP] }
  await button('Try again').click()
  await expect.element(row()).toBeVisible()
})

test('a webhook is switched off and on, and stays as it was when that fails', async () => {
  const { answers, bodies } = await openWebhooks([LAMP], { [CHANGE]: 'not_found' })
  await row().click()
  const on = page.getByRole('switch', { name: 'Send messages' })
  await on.click()
  await expectFailure('This webhook was changed in another tab. Please try again.')
  await expect.element(on).toBeChecked()
  const off = { ...LAMP, offReason: 'person' }
  answers[CHANGE] = { webhook: off }
  answers[READ] = { isOffered: true, webhooks: [off] }
  await on.click()
  await expect.element(page.getByText('You have switched it off.')).toBeVisible()
  expect(button('Send a test').query()).toBeNull()
  expect(bodies(CHANGE).at(-1)).toEqual({ id: ID, url: LAMP.url, events: LAMP.events, isOn: false })
})

test('a test is sent, and one too many is refused at its button', async () => {
  const { answers } = await openWebhooks([LAMP], { [TEST]: 'too_many_attempts' })
  await row().click()
  await expect.element(page.getByText('None yet.')).toBeVisible()
  await button('Send a test').click()
  await expectFailure('Too many tests. Wait a while and try again.')
  answers[TEST] = { deliveryId: ID }
  answers[DELIVERIES] = { deliveries: [{ ...SENT, type: 'webhook.test' }] }
  await button('Send a test').click()
  await expect.element(page.getByText('Test', { exact: true })).toBeVisible()
  await expect.element(page.getByText(/^Delivered at/)).toBeVisible()
})

test('a message is sent again, unless the webhook is off or nothing was tried yet', async () => {
  const waiting = { ...SENT, id: ID.replace(/a$/, '1'), type: 'focus.ended', attempts: 0, deliveredAt: null }
  const deliveries = [SENT, { ...waiting, nextTryAt: SENT.createdAt }]
  const { answers, bodies, queryClient } = await openWebhooks([LAMP], { [DELIVERIES]: { deliveries } })
  await row().click()
  const again = page.getByRole('button', { name: /^Send again: deeb mode/ })
  await expect.poll(() => again.elements().map((one) => one.getAttribute('aria-label'))).toHaveLength(1)
  answers[AGAIN] = 'unavailable'
  await again.click()
  await expectFailure('The message could not be sent again. Please try again.')
  answers[AGAIN] = { queued: true }
  await again.click()
  await expect.poll(() => bodies(AGAIN)).toEqual(Array(2).fill({ id: ID }))
  answers[READ] = { isOffered: true, webhooks: [{ ...LAMP, offReason: 'gone' }] }
  await queryClient.invalidateQueries()
  await expect.element(again).not.toBeInTheDocument()
})

test('a new secret says whether the old one leaked, and is shown once', async () => {
  const { bodies } = await openWebhooks([LAMP], { [SECRET]: { secret: 'whsec_y' } })
  await row().click()
  await button('New secret').click()
  const renewing = dialog('New secret?')
  await renewing.getByLabelText('The old one leaked: end it now').click()
  await renewing.getByRole('button', { name: 'New secret' }).click()
  await expect.element(shown().getByLabelText('Secret')).toHaveValue('whsec_y')
  expect(bodies(SECRET)).toEqual([{ id: ID, isLeaked: true }])
})

test('a webhook is changed in the dialog that has its address and events', async () => {
  const { answers, bodies } = await openWebhooks([LAMP])
  await row().click()
  await button('Change').click()
  const changing = dialog('Change webhook')
  await expect.element(changing.getByLabelText('Address')).toHaveValue(LAMP.url)
  await changing.getByText('(focus.ended)').click()
  answers[CHANGE] = { webhook: LAMP }
  await changing.getByRole('button', { name: 'Save' }).click()
  await expect.element(changing).not.toBeInTheDocument()
  expect(bodies(CHANGE)).toEqual([{ id: ID, url: LAMP.url, events: ['focus.started'], isOn: true }])
})

test('a webhook that could not be deleted keeps the question, and a deleted one leaves the list', async () => {
  const { answers } = await openWebhooks([LAMP], { [DELETE]: 'unavailable' })
  await row().click()
  await button('Delete').click()
  const deleting = dialog('Delete this webhook?')
  await deleting.getByRole('button', { name: 'Delete webhook' }).click()
  await expect.element(deleting.getByText('The webhook could not be deleted. Please try again.').first()).toBeVisible()
  answers[DELETE] = { deleted: true }
  answers[READ] = { isOffered: true, webhooks: [] }
  await deleting.getByRole('button', { name: 'Delete webhook' }).click()
  await expect.element(page.getByText('Webhook deleted')).toBeVisible()
  await expect.element(row()).not.toBeInTheDocument()
})

describe('the texts', () => {
  test.each([
    [{}, 'On', 'Added on'],
    [{ failingSince: '2020-06-15T09:00:00.000Z' }, 'Failing', 'Nothing has arrived since'],
    [{ offReason: 'person' }, 'Off', 'You have switched it off.'],
    [{ offReason: 'failing' }, 'Off', 'It was switched off: nothing arrived for 3 days.'],
    [{ offReason: 'gone' }, 'Off', 'It was switched off: its server answered that it is gone.'],
    [{ offReason: 'security' }, 'Off', 'It was switched off for your safety'],
  ] as const)('of a webhook with %o', (part, word, note) => {
    const webhook: Webhook = { ...LAMP, ...part }
    expect(stateText(webhook)).toBe(word)
    expect(stateNote(webhook)).toMatch(new RegExp(`^${note}`))
  })

  test.each([
    [{}, /^Delivered at/],
    [{ deliveredAt: null, attempts: 0, nextTryAt: SENT.createdAt }, /^Is being sent$/],
    [{ deliveredAt: null, nextTryAt: SENT.createdAt, status: 500 }, /next try at .*: status 500$/],
    [{ deliveredAt: null, status: null, failure: 'timeout' }, /not delivered: no answer within 5 seconds$/],
    [{ deliveredAt: null, status: null, failure: 'redirect' }, /not delivered: it answered with a redirect$/],
    [{ deliveredAt: null, status: null, failure: 'unreachable' }, /not delivered: no connection$/],
    [{ deliveredAt: null, status: null, failure: 'invalid_url' }, /not delivered: deeb may not call this address$/],
    [{ deliveredAt: null, status: null, failure: 'no_public_address' }, /: the host has no public address$/],
    [{ deliveredAt: null, status: null }, /not delivered: it was not sent in time$/],
  ] as const)('of a message with %o', async (part, text) => {
    await emulateTimeZone('Europe/Berlin')
    expect(deliveryText({ ...SENT, ...part })).toMatch(text)
  })

  test('name what a message was about', () => {
    const types = ['focus.started', 'focus.ended', 'goal.reached', 'webhook.test']
    expect(types.map((type) => messageText({ ...SENT, type }))).toEqual([
      'deeb mode on',
      'deeb mode off',
      'Goal reached',
      'Test',
    ])
  })
})
