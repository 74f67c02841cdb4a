import { expect } from '@playwright/test'
import { becomeUser, deebSwitch, fillSignUp, MARA, signIn, test } from '../test.ts'

test('sign-up and sign-in show an error message and keep the fields when they fail', async ({ page, server }) => {
  await page.goto(`${server.url}/app/signup`)
  await page.getByLabel('Email').fill(MARA.email)
  await page.getByLabel('Password', { exact: true }).fill(MARA.password)
  await page.getByLabel('Confirm password').fill('something else')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Password Mismatch')).toBeVisible()
  await expect(page.getByRole('alert').getByText('Passwords do not match.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(MARA.email)

  await fillSignUp(page, { ...MARA, password: 'short' })
  await expect(page.getByText('Sign Up Failed')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(MARA.email)

  await page.getByRole('link', { name: 'Back to Sign In' }).click()
  await signIn(page, MARA)
  await expect(page.getByText('Sign In Failed')).toBeVisible()
  await expect(page.getByRole('alert').getByText('Invalid login credentials')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(MARA.email)

  await page.route('**/auth/v1/token**', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert').getByText('An unexpected error occurred.')).toBeVisible()
})

test('a toast is still shown when the page reloads because a screen could not be loaded', async ({ page, server }) => {
  await page.route('**/assets/en/ForgotPasswordScreen-*.js', (route) => route.abort(), { times: 1 })
  await page.goto(`${server.url}/app`)
  await signIn(page, MARA)
  await expect(page.getByText('Sign In Failed')).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isFirstPage: true }))
  await page.getByRole('link', { name: /forgot/i }).click()
  await expect(page).toHaveURL(`${server.url}/app/forgot-password`)
  await page.waitForFunction(() => !('isFirstPage' in window))
  await expect(page.getByText('Sign In Failed')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Sign In Failed')).toBeHidden()
})

test('a failure does not cover the button to press next', async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, { ...MARA, password: 'short' })
  await expect(page.getByText('Sign Up Failed')).toBeVisible()
  const areApart = await page.evaluate(() => {
    const [toast, button] = ['.toast', 'button[type=submit]'].map((name) =>
      document.querySelector(name)?.getBoundingClientRect(),
    )
    return toast && button && (toast.bottom < button.top || button.bottom < toast.top)
  })
  expect(areApart).toBe(true)
})

test('after sign-up the page says what happens next, also after a reload', async ({ page, server }) => {
  await page.goto(`${server.url}/app/signup`)
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'At least 8 characters, and not a common password.',
  )
  await page.getByLabel('Password', { exact: true }).fill('quiet')
  await page.getByRole('button', { name: 'Show characters' }).first().click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')

  await fillSignUp(page, { ...MARA, email: 'mara.lnd@fjordlab.example' })
  const next = page.getByRole('region', { name: 'What happens next' })
  await expect(next).toContainText('We sent a link to mara.lnd@fjordlab.example.')
  await page.reload()
  await next.getByRole('button', { name: 'Wrong address?' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('mara.lnd@fjordlab.example')

  await fillSignUp(page, MARA)
  await next.getByRole('button', { name: 'Send it again' }).click()
  await expect.poll(() => server.linksFor(MARA.email)).toHaveLength(2)
})

test('after a request for a password reset the page says where the link is, and takes another address', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/app/forgot-password`)
  await page.getByLabel('Email').fill('mara.lnd@fjordlab.example')
  await page.getByRole('button', { name: 'Send reset link' }).click()
  const next = page.getByRole('region', { name: 'What happens next' })
  await expect(next).toContainText('If there is an account for mara.lnd@fjordlab.example, we sent it a link.')
  await page.reload()
  await next.getByRole('button', { name: 'Wrong address?' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('mara.lnd@fjordlab.example')
})

test('app screens require a signed-in user, account screens a signed-out one', async ({ page, server }) => {
  for (const path of ['/app/home', '/app/settings']) {
    await page.goto(server.url + path)
    await expect(page).toHaveURL(`${server.url}/app`)
  }
  await becomeUser(page, server, MARA)
  for (const path of ['/app', '/app/signup']) {
    await page.goto(server.url + path)
    await expect(page).toHaveURL(`${server.url}/app/home`)
  }
})

test('a browser without storage shows a message, not an empty page', async ({ browser, server }) => {
  // Without `watch`: the refused storage is an error in the console.
  const page = await browser.newPage()
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    Object.defineProperty(window, 'localStorage', { get: refuse })
  })
  await page.goto(`${server.url}/app`)
  await page.evaluate(() => {
    for (const waiting of document.getAnimations()) waiting.finish()
  })
  await expect(page.getByText('deeb has not started yet.')).toBeVisible()
  await page.close()
})

test('signing out in one tab signs out the other, and the back button shows no data', async ({
  page,
  context,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/profile`)
  const other = await context.newPage()
  await other.goto(`${server.url}/app/settings`)
  await other.getByRole('button', { name: 'Sign Out' }).click()
  await expect(other).toHaveURL(`${server.url}/app`)
  await expect(page).toHaveURL(`${server.url}/app`)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})

test('the signed-out screens lead to the public pages, with a sentence about deeb where it fits', async ({
  page,
  server,
}) => {
  const sentence = page.getByText('One switch counts your focus time.')
  for (const path of ['/app', '/app/signup', '/app/forgot-password', '/app/confirm', '/app/reset-password']) {
    await page.setViewportSize({ width: 320, height: 568 })
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(sentence).toBeHidden()
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(sentence, `${path} at ${width}`).toBeInViewport({ ratio: 1 })
    }
    await page.getByRole('link', { name: 'About deeb' }).click()
    await expect(page.getByRole('heading', { name: 'work deep. show focus.' })).toBeVisible()
  }
})

test('the first window of the sign-in screen has its button, also on a small phone and on its side', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/app`)
  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [667, 375],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height })
    const button = page.getByRole('button', { name: 'Sign In', exact: true })
    await expect(button, `${width} x ${height}`).toBeInViewport({ ratio: 1 })
  }
})

test('a sign-out that does not reach the server says so, and ends there within a minute of reaching it', async ({
  page,
  server,
}) => {
  await page.clock.install()
  await becomeUser(page, server, MARA)
  const { access_token } = await page.evaluate(() => JSON.parse(localStorage.getItem('deeb.auth.token') ?? '{}'))
  const statusAtServer = async () => {
    const headers = { authorization: `Bearer ${access_token}` }
    return (await page.request.get(`${server.url}/api/sessions`, { headers })).status()
  }
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.route('**/auth/v1/logout**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed out on this device only')).toBeVisible()
  const note = page.getByText('The server could not be reached yet')
  await expect(note).toBeVisible()
  await page.clock.fastForward('20:00')
  await expect(note).toBeVisible()
  expect(await statusAtServer()).toBe(200)

  await page.unroute('**/auth/v1/logout**')
  await page.clock.fastForward('01:00')
  await expect(page.getByText('The server has ended that sign-in too.')).toBeVisible()
  await expect(note).toHaveCount(0)
  expect(await statusAtServer()).toBe(401)
})

test('a sign-out that never reaches the server says how to end it there', async ({ page, server }) => {
  await page.clock.install()
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.route('**/auth/v1/logout**', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('The server could not be reached yet')).toBeVisible()
  // The access token expires.
  await page.clock.fastForward('01:01:00')
  const advice = page.getByText('sign in again and change your password')
  await expect(advice).toBeVisible()
  await page.unroute('**/auth/v1/logout**')
  await signIn(page, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await expect(advice).toHaveCount(0)
})

test('the switch in Settings only previews focus mode, and leaving restores the real state', async ({
  page,
  server,
}) => {
  await becomeUser(page, server, MARA)
  const calls: string[] = []
  const asked = page.waitForResponse('**/api/push')
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText('Preview only. Start a session on Home.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settings' })).toHaveAttribute('aria-current', 'page')
  await asked
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await deebSwitch(page).click()
  await expect(page.locator('html')).toHaveAttribute('data-focus', 'on')
  expect(calls.filter((path) => /^\/(api|auth)\//.test(path))).toEqual([])
  await page.getByRole('button', { name: 'deeb home' }).click()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(deebSwitch(page)).not.toBeChecked()
  await expect(page.locator('html')).not.toHaveAttribute('data-focus')
})

test('Settings ends a running session, and leads to the daily goals and back', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await deebSwitch(page).click()
  await expect(deebSwitch(page)).toBeChecked()
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText('Preview only. Your session goes on.')).toBeVisible()
  await deebSwitch(page).click()
  await expect(page.locator('html')).not.toHaveAttribute('data-focus')
  await page.getByRole('button', { name: 'End session' }).click()
  await expect(page.getByText('Preview only. Start a session on Home.')).toBeVisible()
  await page.getByRole('link', { name: 'Daily goals' }).click()
  await page.getByRole('button', { name: 'Back to Settings' }).click()
  await expect(page).toHaveURL(`${server.url}/app/settings`)
  await page.getByRole('button', { name: 'deeb home' }).click()
  await expect(deebSwitch(page)).not.toBeChecked()
})

test('the outbox page shows email at the printed address, and needs the key', async ({ page, server }) => {
  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, MARA)
  await expect(page.getByText('Account Created!')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/app`)
  const address = /http\S+\/outbox#key=\S+/.exec(server.output)?.[0] ?? ''
  await page.goto(address)
  await expect(page.getByText(MARA.email).first()).toBeVisible()
  await page.getByRole('link', { name: /\/app\/confirm/ }).click()
  await expect(page.getByRole('heading', { name: 'Confirm' })).toBeVisible()

  const withoutKey = await page.request.get(`${server.url}/outbox/mails`)
  expect(withoutKey.status()).toBe(404)
})
