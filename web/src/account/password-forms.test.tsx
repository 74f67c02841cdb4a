import '../testing/signed-in.ts'
import { readLink } from '@deeb/core/account/api'
import { readInvitation } from '@deeb/core/invitations/api'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { forgetInvite, keepInvite } from '../session/kept-invite.ts'
import { HOME } from '../testing/mock-api.ts'
import { openScreen } from '../testing/open-screen.tsx'
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import ConfirmScreen from './ConfirmScreen.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import InvitedScreen from './InvitedScreen.tsx'
import { ProofDialog } from './ProofDialog.tsx'
import ResetPasswordScreen from './ResetPasswordScreen.tsx'
import SignInScreen from './SignInScreen.tsx'
import SignUpScreen from './SignUpScreen.tsx'
import { PasswordSection } from './sign-in-settings/PasswordSection.tsx'

const close = () => undefined
const ways = { hasPassword: true, company: null, secondFactor: null, provenUntil: null }
const withoutPassword = { ...ways, hasPassword: false }
const unused = async () => undefined
const { email } = HOME.profile

/** All forms that ask for a password, by the file that has them. The address is empty where the user types it. */
const FORMS: [file: string, form: () => ReactNode, address: string, link?: string][] = [
  ['SignInScreen', () => <SignInScreen />, ''],
  ['SignUpScreen', () => <SignUpScreen />, ''],
  ['InvitedScreen', () => <InvitedScreen />, ''],
  ['ConfirmScreen', () => <ConfirmScreen />, email, 'signup'],
  ['ResetPasswordScreen', () => <ResetPasswordScreen />, email, 'recovery'],
  ['ChangeEmailDialog', () => <ChangeEmailDialog onClose={close} />, email],
  ['ChangePasswordDialog', () => <ChangePasswordDialog onClose={close} />, email],
  ['DeleteAccountDialog', () => <DeleteAccountDialog onClose={close} />, email],
  ['ProofDialog', () => <ProofDialog onClose={close} />, email],
  ['PasswordSection', () => <PasswordSection info={withoutPassword} withProof={unused} />, email],
]

const before = window.location.href
afterEach(() => {
  window.history.replaceState(null, '', before)
  forgetInvite()
})

test.each(FORMS)('%s tells password managers whose password it is', async (file, form, address, link) => {
  if (link) window.location.hash = `token_hash=a1b2&type=${link}`
  if (file === 'InvitedScreen') keepInvite('A'.repeat(48))
  await openScreen(form(), {
    'GET /auth/v1/settings': { sso_enabled: false, passkeys_enabled: false },
    'GET /api/account/sign-in': ways,
    [`${readInvitation.method} ${readInvitation.path}`]: {
      inviter: 'Ada',
      circle: null,
      domain: 'acme.com',
      people: null,
    },
    [`${readLink.method} ${readLink.path}`]: { kind: link, email, newEmail: null },
  })
  if (file === 'PasswordSection') await page.getByRole('button', { name: 'Set a password' }).click()
  const passwords = () => [...document.querySelectorAll<HTMLInputElement>('input[type="password"]')]
  await expect.poll(() => passwords().length).toBeGreaterThan(0)
  for (const password of passwords()) {
    const usernames = password.form?.querySelectorAll<HTMLInputElement>('[autocomplete~="username"]') ?? []
    expect([...usernames].map(({ value }) => value)).toEqual([address])
    expect(password.form && [...new FormData(password.form).keys()]).not.toContain('')
  }
})

test('these are all forms that ask for a password', () => {
  const sources = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true })
  const files = Object.keys(sources).filter((path) => {
    return !path.includes('.test.') && /<(Current|New)?PasswordFields?\b/.test(sources[path] ?? '')
  })
  const names = files.map((path) => path.replace(/^.*\/(\w+)\.tsx$/, '$1'))
  expect(names.toSorted()).toEqual(
    [...FORMS.map(([file]) => file), 'CurrentPasswordField', 'NewPasswordFields'].toSorted(),
  )
})
