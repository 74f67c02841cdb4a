import { expect } from '@playwright/test'
import { becomeUser, deebSwitch, fillSignUp, MARA, signIn, test } from '../test.ts'

test('a toast is still shown when the page reloads because a screen could not be loaded', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
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

test('app screens require a signed-in user, and a sign-out in one tab reaches the other, without data behind the back button', async ({
  page,
  context,
  server,
}) => {
  for (const path of ['/app/home', '/app/settings']) {
    await page.goto(server.url + path)
    await expect(page).toHaveURL(`${server.url}/app`)
  }
  await becomeUser(page, server, MARA)
  for (const path of ['/app', '/app/signup']) {
    await page.goto(server.url + path)
    await expect(page).toHaveURL(`${server.url}/app/home`)
  }
  await page.goto(`${server.url}/app/profile`)
  const other = await context.newPage()
  await other.goto(`${server.url}/app/settings`)
  await other.getByRole('button', { name: 'Sign Out' }).click()
  await expect(other).toHaveURL(`${server.url}/app`)
  await expect(page).toHaveURL(`${server.url}/app`)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})

test('the first window of a signed-out screen has its button and a sentence about deeb where it fits, and it leads to the public pages', {
  tag: '@heavy',
}, async ({ page, server }) => {
  const sentence = page.getByText('One switch counts your focus time and says: not now.')
  for (const path of ['/app', '/app/signup', '/app/forgot-password', '/app/confirm', '/app/reset-password']) {
    await page.setViewportSize({ width: 320, height: 568 })
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(sentence).toBeHidden()
    const button = page.getByRole('button', { name: 'Sign In', exact: true })
    if (path === '/app') await expect(button, 'on a small phone').toBeInViewport({ ratio: 1 })
    for (const [width, height] of [
      [667, 375],
      [390, 844],
      [844, 390],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      if (width !== 667) await expect(sentence, `${path} at ${width}`).toBeInViewport({ ratio: 1 })
      if (path === '/app') await expect(button, `${width} x ${height}`).toBeInViewport({ ratio: 1 })
    }
    await page.getByRole('link', { name: 'About deeb' }).click()
    await expect(page.getByRole('heading', { name: 'work deep. show focus.' })).toBeVisible()
  }
})

test('a sign-out is a plain note in another tab', { tag: '@heavy' }, async ({ page, context, server }) => {
  await becomeUser(page, server, MARA)
  const other = await context.newPage()
  await other.goto(`${server.url}/app/home`)
  await expect(deebSwitch(other)).toBeEnabled()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  for (const tab of [page, other]) {
    await expect(tab.getByRole('status').filter({ hasText: /^Signed out$/ })).toBeVisible()
    await expect(tab.getByRole('alert')).toHaveCount(0)
  }
})

test('a sign-out that does not reach the server says so, ends there within a minute of reaching it, or says how to end it', {
  tag: '@heavy',
}, async ({ page, server }) => {
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

  // One that never reaches the server.
  await signIn(page, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.route('**/auth/v1/logout**', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(note).toBeVisible()
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

test('the switch in Settings only previews focus mode; Settings ends a running session, and leads to the daily goals and back', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText('Preview only. Start a session on Home.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settings' })).toHaveAttribute('aria-current', 'page')
  await deebSwitch(page).click()
  await expect(page.locator('html')).toHaveAttribute('data-focus', 'on')
  await page.getByRole('button', { name: 'deeb home' }).click()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(deebSwitch(page)).not.toBeChecked()
  await expect(page.locator('html')).not.toHaveAttribute('data-focus')

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

test('the outbox page shows email at the printed address, and needs the key', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
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
