import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { totpCode, totpStep } from '../../server/src/auth/factors/totp.ts'
import {
  becomeUser,
  expectClean,
  expectNoSidewaysScroll,
  hold,
  MARA,
  newestLink,
  readQrCode,
  signIn,
  test,
} from '../test.ts'

/** Adds a virtual authenticator to the page: a device with a fingerprint reader, for instance. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  /** Whether its user answers requests. */
  const answer = (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return { cdp, authenticatorId, answer }
}

async function openSignInSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Sign-in' }).click()
  await expect(page.getByText('this browser')).toBeVisible()
}

/** The code that an authenticator app shows, `steps` intervals from now. */
function appCode(uri: string, steps = 0): string {
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return totpCode(Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))), totpStep(new Date()) + steps)
}
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

test('the passkey button and the languages of Sign In move nothing when they are loaded late', {
  tag: '@heavy',
}, async ({ page, server }) => {
  const late = [
    await hold(page, /\/assets\/en\/(OtherWays|LanguageChoice)-.+\.js$/),
    await hold(page, '**/auth/v1/settings'),
  ]
  await page.goto(`${server.url}/app`, { waitUntil: 'commit' })
  const boxes = () =>
    Promise.all(
      [page.getByRole('heading', { name: 'Sign In' }), page.getByText('Create account')].map((one) =>
        one.boundingBox(),
      ),
    )
  await expect(page.getByText('Create account')).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const before = await boxes()
  for (const { release } of late) release()
  await expect(page.getByRole('button', { name: 'passkey' })).toBeVisible()
  await expect(page.getByLabel('Language')).toBeVisible()
  expect(await boxes()).toEqual(before)
})

test('a passkey added in Settings signs in on a new browser with a few taps', { tag: '@heavy' }, async ({
  page,
  newDevice,
  server,
}) => {
  const laptop = await addAuthenticator(page)
  await becomeUser(page, server, MARA)
  await openSignInSettings(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()
  await page.getByRole('button', { name: 'Rename Passkey 1' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Added .*, not used yet$/)).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device already has a passkey of this account.').first()).toBeVisible()
  await expectClean(page)

  // As synchronised by the provider of the passkey.
  const { credentials } = await laptop.cdp.send('WebAuthn.getCredentials', { authenticatorId: laptop.authenticatorId })
  const phone = await newDevice()
  const { cdp, authenticatorId, answer } = await addAuthenticator(phone)
  await answer(false)
  for (const credential of credentials) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
  let taps = 0
  await phone.exposeFunction('countTap', () => (taps += 1))
  await phone.addInitScript('addEventListener("pointerdown", () => countTap(), true)')
  await phone.goto(`${server.url}/app`)
  await expect(phone.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
  await expect(phone.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  await phone.getByLabel('Email').click()
  await phone.getByLabel('Email').fill(MARA.email)
  // Its user has not answered the autofill. That request stays open until the tap, which ends it.
  await answer(true)
  await phone.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  expect(taps).toBeGreaterThan(1)
  expect(taps).toBeLessThanOrEqual(4)

  // The way that was used last comes first.
  await phone.getByRole('button', { name: 'Settings' }).click()
  await answer(false)
  await phone.getByRole('button', { name: 'Sign Out' }).click()
  const before = await phone.getByRole('button', { name: 'Use a passkey' }).boundingBox()
  const after = await phone.getByLabel('Email').boundingBox()
  expect(before?.y).toBeLessThan(after?.y ?? 0)
  await expectClean(phone)

  // A removed passkey signs in nowhere.
  await page.reload()
  await expect(page.getByText(/last used/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('Passkey removed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toHaveCount(0)
  await answer(true)
  await phone.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(phone.getByText('The passkey could not be verified.').first()).toBeVisible()
})

test('an authenticator app, read from its QR code, is asked for at sign-in in every tab; a recovery code works once', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await becomeUser(page, server, MARA)
  await openSignInSettings(page)
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const uri = await readQrCode(page)
  expect(new URL(uri).pathname).toContain(encodeURIComponent(MARA.email))
  const code = page.getByRole('textbox', { name: 'Code' })
  const wrong = appCode(uri) === '000000' ? '111111' : '000000'
  await code.fill(wrong)
  await page.getByRole('button', { name: 'Add app' }).click()
  await expect(page.getByText('This code is wrong.')).toBeVisible()
  await code.fill(appCode(uri, -1))
  await page.getByRole('button', { name: 'Add app' }).click()
  await expect(page.getByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectClean(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const codes = (await readFile(await (await downloading).path(), 'utf8')).match(/^(\w{4} ){3}\w{4}$/gm) ?? []
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I saved them' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()

  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  await signIn(phone, MARA)
  await expect(phone.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  const tab = await phone.context().newPage()
  await tab.goto(`${server.url}/app/team`)
  await expect(tab.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await expectClean(phone)
  await phone.setViewportSize({ width: 320, height: 568 })
  await expectNoSidewaysScroll(phone)
  await phone.getByLabel('Code').fill(wrong)
  await expect(phone.getByText('The code is wrong or was already used.')).toBeVisible()
  // Six digits need no press of a button.
  await phone.getByLabel('Code').fill(appCode(uri, 1))
  await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(tab.getByRole('searchbox')).toBeVisible()

  const tablet = await newDevice()
  await tablet.goto(`${server.url}/app`)
  for (const outcome of ['opens', 'was used']) {
    await signIn(tablet, MARA)
    await tablet.getByRole('button', { name: 'Use a recovery code' }).click()
    await tablet.getByLabel('Recovery code').fill(codes[0] ?? '')
    await tablet.getByRole('button', { name: 'Continue' }).click()
    if (outcome === 'was used') {
      await expect(tablet.getByText('The code is wrong or was already used.')).toBeVisible()
    } else {
      await openSignInSettings(tablet)
      await expect(tablet.getByText('9 of 10 left')).toBeVisible()
      await tablet.getByRole('button', { name: 'Back to Settings' }).click()
    }
    await tablet.getByRole('button', { name: 'Sign Out' }).click()
    await expect(tablet.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  }

  // A reset link replaces the password, not the second factor.
  await tablet.getByRole('link', { name: 'Forgot password?' }).click()
  await tablet.getByLabel('Email').fill(MARA.email)
  await tablet.getByRole('button', { name: 'Send reset link' }).click()
  await expect.poll(() => newestLink(server, MARA)).toContain('/app/reset-password')
  await tablet.goto(await newestLink(server, MARA))
  const changed = { ...MARA, password: 'brisk-lantern-93' }
  await tablet.getByLabel('New password').fill(changed.password)
  await tablet.getByLabel('Confirm password').fill(changed.password)
  await tablet.getByRole('button', { name: 'Update password' }).click()
  await tablet.getByRole('button', { name: 'Use a recovery code' }).click()
  await tablet.getByLabel('Recovery code').fill(codes[1] ?? '')
  await tablet.getByRole('button', { name: 'Continue' }).click()
  await expect(tablet.getByText('Password updated')).toBeVisible()
  await openSignInSettings(tablet)

  await tablet.getByRole('button', { name: 'Remove authenticator app' }).click()
  await tablet.getByRole('button', { name: 'Remove app' }).click()
  await expect(tablet.getByText('Authenticator app removed')).toBeVisible()
  await expect(tablet.getByText('of 10 left')).toHaveCount(0)
  // The new password has signed this one out.
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await signIn(page, changed)
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
})

test('Settings show where the user is signed in, and sign out another browser after a proof; a page without tokens leads to Sign In', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await becomeUser(page, server, MARA)
  const phone = await newDevice()
  await phone.goto(`${server.url}/app`)
  await signIn(phone, MARA)
  await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  // The sign-in no longer counts as a proof.
  await server.travel(16)
  await openSignInSettings(page)
  await expect(page.getByText('last used today', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Sign out Chrome/ }).click()
  const proof = page.getByRole('dialog', { name: 'Show that it is you' })
  await expectClean(page)
  await proof.getByLabel('Password').fill('not this one')
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(proof.getByText('This is not your password.')).toBeVisible()
  await proof.getByLabel('Password').fill(MARA.password)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Signed out there')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Sign out Chrome/ })).toHaveCount(0)
  await expect(phone.getByRole('heading', { name: 'Sign In' })).toBeVisible()

  // One proof is enough for the next change.
  await signIn(phone, MARA)
  await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('Signed out everywhere else')).toBeVisible()
  await expect(phone.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()

  // In one step: a read in between would lead to Sign In by itself.
  await page.getByRole('button', { name: 'Team' }).evaluate((button: HTMLElement) => {
    localStorage.clear()
    button.click()
  })
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})
