import '../ui/tokens.css'
import { APP_PATHS } from '@deeb/core/paths'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { forgetInvite, keepInvite, keptInvite } from '../session/kept-invite.ts'
import type { Answers } from '../testing/mock-api.ts'
import { button, openScreen } from '../testing/open-screen.tsx'
import InvitedScreen from './InvitedScreen.tsx'
import SignUpScreen from './SignUpScreen.tsx'

const SECRET = 'Zm9vYmFyLWJhel9xdXV4MQ'
const SIGNATURE = 'A'.repeat(48)
const READ = 'POST /api/invitations/read'
const SIGN_UP = 'POST /auth/v1/signup'
const BACKEND = { inviter: 'Mara', circle: 'Backend', domain: 'fjordlab.example', people: 10 }
const START = window.location.href

afterEach(async () => {
  await page.viewport(390, 844)
  vi.restoreAllMocks()
  forgetInvite()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', START)
})

/** Opens an invitation as a visitor. */
function openInvitation(invite: string, answers: Answers = { [READ]: BACKEND }) {
  keepInvite(invite)
  const settings = { sso_enabled: false, passkeys_enabled: false, password_min_length: 8, mailer: 'smtp' }
  return openScreen(<InvitedScreen />, { 'GET /auth/v1/settings': settings, ...answers })
}

const email = () => page.getByLabelText('Your work email')
const password = () => page.getByLabelText('Password')

test('both fields are in sight on a small phone', async () => {
  await page.viewport(320, 568)
  await openInvitation(`#${SECRET}${SIGNATURE}`, { [READ]: { ...BACKEND, circle: null } })
  await expect.element(password()).toBeVisible()
  expect(password().element().getBoundingClientRect().bottom).toBeLessThan(window.innerHeight)
})

test('names who invites to what and about how many, and what joining shows to whom', async () => {
  const { bodies, queryClient } = await openInvitation(`#${SECRET}${SIGNATURE}`)
  await expect.element(page.getByRole('heading', { name: 'Mara invites you to Backend' })).toBeVisible()
  await expect.element(page.getByText('More than 10 people at fjordlab.example')).toBeVisible()
  await expect.element(page.getByText(/^Everybody in it sees your name, your address and when/)).toBeVisible()
  await expect.element(email()).toHaveFocus()
  expect(bodies(READ)).toEqual([{ invite: `#${SECRET}${SIGNATURE}` }])
  const cached = queryClient.getQueryCache().getAll()
  expect(JSON.stringify(cached.map(({ queryKey, state }) => [queryKey, state]))).not.toContain(SECRET)
})

test.each([
  [{ ...BACKEND, inviter: null, people: null }, 'You are invited to Backend', 'At fjordlab.example'],
  [{ ...BACKEND, circle: null, people: 200 }, 'Mara invites you to deeb', 'Hundreds of people at fjordlab.example'],
  [{ ...BACKEND, circle: null }, 'Mara invites you to deeb', 'Joining asks Mara to connect with you.'],
])('names less where less may be shown: %o', async (found, title, about) => {
  await openInvitation(found.circle ? SECRET : SIGNATURE, { [READ]: found })
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
  await expect.element(page.getByText(about)).toBeVisible()
})

test.each([
  ['timo', SECRET, 'timo@fjordlab.example', SECRET],
  [' timo@FJORDLAB.example ', `#${SECRET}${SIGNATURE}`, 'timo@FJORDLAB.example', SECRET],
  ['timo', SIGNATURE, 'timo@fjordlab.example', null],
])('with the address %o, Join signs up', async (typed, invite, address, join) => {
  const { bodies } = await openInvitation(invite, { [READ]: BACKEND, [SIGN_UP]: { id: 'timo', email: address } })
  await email().fill(typed)
  await password().fill('quiet-otter-41')
  await button('Join').click()
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.signIn)
  const data = { deeb_browser: expect.any(String), ...(join === null ? {} : { join }) }
  expect(bodies(SIGN_UP)).toMatchObject([{ email: address, password: 'quiet-otter-41' }])
  expect(bodies(SIGN_UP)).toEqual([expect.objectContaining({ data })])
})

test.each(['timo@gmail.com', 'timo@fjordlab.example.org', 'timo@sub.fjordlab.example', 'timo@', '@'])(
  'the address %s gets an error with the way on, and may leave the invitation',
  async (typed) => {
    const { bodies } = await openInvitation(SECRET)
    await email().fill(typed)
    await password().fill('quiet-otter-41')
    await button('Join').click()
    const text = 'This invitation is for addresses at fjordlab.example. Use your work address.'
    await expect.element(email()).toHaveAccessibleDescription(text)
    expect(bodies(SIGN_UP)).toEqual([])
    await button('Create an account without it').click()
    expect([window.location.pathname, keptInvite()]).toEqual([APP_PATHS.signUp, null])
  },
)

test('a link that has ended leads on without it; one that cannot be read is read again', async () => {
  const { answers } = await openInvitation(SECRET, { [READ]: 'internal' })
  await expect.element(page.getByText('deeb cannot be reached. Check your connection and try again.')).toBeVisible()
  answers[READ] = 'not_found'
  await button('Try again').click()
  await expect.element(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await button('Create Account').click()
  expect([window.location.pathname, keptInvite()]).toEqual([APP_PATHS.signUp, null])
})

test('the page to sign up is that of an invitation that was opened before', async () => {
  keepInvite(SECRET)
  await openScreen(<SignUpScreen />, {})
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.circle)
})
