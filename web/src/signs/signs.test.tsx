import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, dialog, openScreen } from '../testing/open-screen.tsx'
import DoorSign from './DoorSign.tsx'

const [READ, CREATE, REVOKE] = ['GET /api/signs', 'POST /api/signs', 'POST /api/signs/revoke']
const AGREE = 'PUT /api/signs/agreement'
const PROVEN = { hasPassword: true, company: null, secondFactor: null, provenUntil: '2099-01-01T00:00:00.000Z' }
const ID = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const OFFICE = {
  ...{ id: ID, label: 'Office', showsName: false, showsUntil: false },
  ...{ createdAt: '2020-06-15T09:00:00.000Z', lastSeenAt: null },
}
const TOKEN = 'Zm9vYmFyLWJhel9xdXV4MQ'
const CIRCLE = {
  ...{ circleId: ID, name: 'Backend', isKeeper: true },
  sign: { id: ID, label: 'Kitchen', createdAt: OFFICE.createdAt, lastSeenAt: null, agreed: 1, mine: 'nothing' },
}

const openSigns = (signs: object[], circles: object[] = [], answers: Parameters<typeof openScreen>[1] = {}) =>
  openScreen(<DoorSign />, { 'GET /api/account/sign-in': PROVEN, [READ]: { signs, circles }, ...answers })
const making = () => dialog('Make a sign')
const make = () => making().getByRole('button', { name: 'Make sign' })

test('a sign needs a place, shows only what was chosen, and its link is shown once', async () => {
  const { answers, bodies, container } = await openSigns([], [], { [CREATE]: { id: ID, token: TOKEN } })
  await button('Make a sign').click()
  await make().click()
  await expect.element(making().getByText('Say where it hangs.')).toBeVisible()
  await making().getByLabelText('Where it hangs').fill(' Office ')
  await making().getByRole('switch', { name: 'Show my name' }).click()
  answers[READ] = { signs: [{ ...OFFICE, showsName: true }], circles: [] }
  await make().dblClick()
  const shown = dialog('Open this on your display')
  await expect.element(shown.getByText(new RegExp(`/sign#${TOKEN}$`))).toBeVisible()
  await expect.element(shown.getByRole('img', { name: 'QR code of the link of your sign' })).toBeVisible()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText('State and name, not opened yet')).toBeVisible()
  expect(bodies(CREATE)).toEqual([{ label: 'Office', showsName: true, showsUntil: false }])
  expect(container.innerHTML).not.toContain(TOKEN)
})

test.each([
  ['too_many_signs', 'You have 5 signs, or this circle has one already. Revoke one first.'],
  ['not_found', 'Only the keeper can make the sign of a circle.'],
  ['too_many_attempts', 'That was too often. Please try again later.'],
  ['unavailable', 'The sign was not made. Please try again.'],
])('a sign that is refused as %s says so in its dialog', async (code, text) => {
  await openSigns([], [], { [CREATE]: code })
  await button('Make a sign').click()
  await making().getByLabelText('Where it hangs').fill('Office')
  await make().click()
  await expect.element(making().getByText(text).first()).toBeVisible()
})

test('each sign says what it shows and when a display has last read it; five are the most', async () => {
  const nth = (n: number, part: object) => ({ ...OFFICE, id: ID.replace(/a$/, `${n}`), ...part })
  await openSigns([
    nth(1, { showsName: true, showsUntil: true }),
    nth(2, { showsName: true }),
    nth(3, { showsUntil: true }),
    nth(4, { lastSeenAt: new Date().toISOString() }),
    nth(5, { lastSeenAt: OFFICE.createdAt }),
  ])
  for (const text of [
    'State, name and times, not opened yet',
    'State and name, not opened yet',
    'State and times, not opened yet',
  ]) {
    await expect.element(page.getByText(text)).toBeVisible()
  }
  await expect.element(page.getByText('State only, last seen today')).toBeVisible()
  await expect.element(page.getByText(/^State only, last seen .*2020/)).toBeVisible()
  await expect.element(page.getByText('You have 5 signs, the maximum.')).toBeVisible()
  expect(button('Make a sign').query()).toBeNull()
})

test('a sign that could not be revoked keeps the question, and a revoked one leaves the list', async () => {
  const { answers, bodies } = await openSigns([OFFICE], [], { [REVOKE]: 'unavailable' })
  await button('Revoke Office').click()
  const question = dialog('Revoke Office?')
  await question.getByRole('button', { name: 'Revoke sign' }).click()
  await expect.element(question.getByText('The sign still works. Please try again.').first()).toBeVisible()
  answers[REVOKE] = { revoked: true }
  answers[READ] = { signs: [], circles: [] }
  await question.getByRole('button', { name: 'Revoke sign' }).click()
  await expect.element(page.getByText('Sign revoked')).toBeVisible()
  await expect.element(button('Revoke Office')).not.toBeInTheDocument()
  expect(bodies(REVOKE)).toEqual(Array(2).fill({ id: ID }))
})

test('the keeper of a circle makes and revokes its sign; others read what there is', async () => {
  const { answers, bodies, queryClient } = await openSigns([], [{ ...CIRCLE, sign: null }], { [CREATE]: 'unavailable' })
  await button('Make a sign of Backend').click()
  const makingOne = dialog('Make a sign of Backend')
  expect(makingOne.getByRole('switch').elements()).toEqual([])
  await makingOne.getByLabelText('Where it hangs').fill('Kitchen')
  await makingOne.getByRole('button', { name: 'Make sign' }).click()
  await expect.poll(() => bodies(CREATE)).toMatchObject([{ label: 'Kitchen', circleId: ID }])
  await makingOne.getByRole('button', { name: 'Cancel' }).click()
  answers[READ] = { signs: [], circles: [{ ...CIRCLE, isKeeper: false, sign: null }] }
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('No sign. Its keeper can make one.')).toBeVisible()
  expect(button('Make a sign of Backend').query()).toBeNull()
  answers[READ] = { signs: [], circles: [{ ...CIRCLE, isKeeper: false }] }
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('Kitchen: 1 member on it, not opened yet. You are not on it.')).toBeVisible()
  expect(button('Revoke Kitchen').query()).toBeNull()
  answers[READ] = { signs: [], circles: [CIRCLE] }
  await queryClient.invalidateQueries()
  await expect.element(button('Revoke Kitchen')).toBeVisible()
})

test.each([
  [1, 'nothing', 'One other member is on it.'],
  [1, 'dot', 'Nobody else is on it'],
  [4, 'name', '3 other members are on it.'],
] as const)('with %s on the sign and %s of the user, the agreement says who could tell', async (agreed, mine, text) => {
  const { bodies } = await openSigns([], [{ ...CIRCLE, sign: { ...CIRCLE.sign, agreed, mine } }], {
    [AGREE]: 'not_found',
  })
  await button('Change what the sign of Backend shows of you').click()
  const agreement = dialog('You on the sign of Backend')
  await expect.element(agreement.getByText(new RegExp(`^${text}`))).toBeVisible()
  await agreement.getByLabelText('A dot without my name').click()
  await agreement.getByRole('button', { name: 'Save' }).click()
  await expect.element(agreement.getByText('This sign was revoked.').first()).toBeVisible()
  expect(bodies(AGREE)).toEqual([{ id: ID, agreement: 'dot' }])
})
