import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import { expect } from '@playwright/test'
import { emit, nativeCopy, newDevice, ORIGIN, runOn } from '../native-app.ts'
import { TestServer } from '../server.ts'
import { becomeUser, fillSignUp, MARA, newestLink, switchDeeb, test } from '../test.ts'

const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':')
const ANDROID_APP = `app.deeb.focus ${FINGERPRINT}`
const SITE = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist', '/nowhere', '/app/nowhere']

test.describe('in a browser that poses as native', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the app runs without a service worker, with tokens in local storage', { tag: '@heavy' }, async ({
    page,
    server,
  }) => {
    await page.addInitScript(() => {
      Object.assign(window, { CapacitorCustomPlatform: { name: 'ios', plugins: {} } })
    })
    await page.goto(`${server.url}/app`)
    await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'About deeb' })).toHaveCount(0)
    const asked = page.waitForRequest('**/api/home?*')
    await becomeUser(page, server, MARA)
    expect((await asked).headers()['x-client-info']).toMatch(/^deeb-ios\//)
    // The other screens are preloaded when a browser would register the service worker.
    const others = page.waitForResponse('**/TeamScreen-*.js')
    await page.reload()
    await others
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
    expect(await page.evaluate(() => Object.keys(localStorage))).toContain('deeb.auth.token')
    for (const path of SITE) {
      await page.goto(server.url + path, { waitUntil: 'commit' })
      await expect(page).toHaveURL(`${server.url}/app/home`)
    }
  })

  test('threat 97: an unsafe version asks its user to update', async ({ page, server }) => {
    await page.addInitScript(() => {
      Object.assign(window, { CapacitorCustomPlatform: { name: 'ios', plugins: {} } })
    })
    await page.route('**/api/home?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), [OLDEST_CLIENT_HEADER]: '999.0.0' } })
    })
    await becomeUser(page, server, MARA)
    await expect(page.getByText('This version is no longer safe. Install the newest one.')).toBeVisible()
  })
})

test('a browser loads no code of the native apps', async ({ page, server }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await becomeUser(page, server, MARA)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect.poll(() => loaded.some((path) => path.includes('TeamScreen'))).toBe(true)
  expect(loaded.filter((path) => /native|shell|secure|web-/.test(path))).toEqual([])
})

test('the native copy calls its server from its own origin and follows email links', { tag: '@heavy' }, async ({
  page,
  context,
}) => {
  // The browser asks for permission before a page may call the local machine, where the test server runs.
  await context.grantPermissions(['local-network-access'], { origin: ORIGIN })
  const server = await TestServer.fresh(undefined, { env: { ANDROID_APP } })
  const copy = await nativeCopy(server.url)
  const device = newDevice()
  // Tokens of an earlier installation.
  device.keychain.set('deeb_deeb.auth.token', JSON.stringify({ user: { id: 'somebody' }, access_token: 'x' }))
  /** The app listens for native events after this. */
  const isReady = () => expect.poll(() => device.calls).toContain('SplashScreen.hide')
  try {
    await runOn(page, copy.folder, device)
    for (const path of SITE) {
      // A request that the next navigation aborts would be an error in the console.
      const answered = page.waitForResponse('**/auth/v1/settings')
      await page.goto(ORIGIN + path)
      await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
      await answered
      await expect(page).toHaveURL(`${ORIGIN}/app`)
    }
    expect([...device.keychain.keys()]).toEqual([])

    device.calls.length = 0
    await page.goto(`${ORIGIN}/app/signup`)
    await isReady()
    await fillSignUp(page, MARA)
    await expect(page.getByText('Account Created!')).toBeVisible()
    await emit(page, 'App.appUrlOpen', { url: `https://evil.example/app/confirm#token_hash=x&type=signup` })
    await expect(page).toHaveURL(`${ORIGIN}/app`)
    await emit(page, 'App.appUrlOpen', { url: await newestLink(server, MARA) })
    await expect(page.getByRole('heading', { name: 'Confirm' })).toBeVisible()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByLabel('Username').fill(MARA.username)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Skip (1h daily)' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    expect(await page.evaluate(() => localStorage.getItem('deeb.auth.token'))).toBeNull()
    // In addition to the tokens there are code verifiers, which are removed at sign-out.
    const keys = [...device.keychain.keys()].filter((key) => !key.endsWith('-code-verifier'))
    expect(keys).toEqual(['deeb_deeb.auth.token'])
    device.calls.length = 0
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await isReady()
    expect(device.calls.at(-1)).not.toContain('DARK')

    device.calls.length = 0
    const followed = page.waitForResponse('**/api/home?*')
    await switchDeeb(page, 'on')
    expect((await followed).request().headers()['x-client-info']).toMatch(/^deeb-android\//)
    await expect.poll(() => [...device.calls].sort()).toEqual(['Haptics.impact MEDIUM', 'StatusBar.setStyle DARK'])

    await server.travel(25)
    // A query in flight is not sent twice, so the loop tries again.
    await expect(async () => {
      await emit(page, 'App.appStateChange', { isActive: false })
      await emit(page, 'App.appStateChange', { isActive: true })
      // Only a refetch has the new time of the server.
      await expect(page.getByRole('timer')).toHaveText(/^0:2\d:\d\d$/, { timeout: 2_000 })
    }).toPass({ timeout: 20_000 })

    await page.getByRole('button', { name: 'Team' }).click()
    await expect(page).toHaveURL(`${ORIGIN}/app/team`)
    await emit(page, 'App.backButton', { canGoBack: true })
    await expect(page).toHaveURL(`${ORIGIN}/app/home`)
    await emit(page, 'App.backButton', { canGoBack: false })
    await expect.poll(() => device.calls).toContain('App.minimizeApp')

    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Your data' }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await emit(page, 'App.backButton', { canGoBack: true })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await emit(page, 'App.backButton', { canGoBack: true })
    await expect(page).toHaveURL(`${ORIGIN}/app/settings`)
    // After the end of the journey, the permission to call the server is gone.
    const signedOut = page.waitForResponse('**/auth/v1/logout?*')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(`${ORIGIN}/app`)
    await signedOut
    await expect.poll(() => [...device.keychain.keys()]).toEqual([])
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  } finally {
    await server.dispose()
    await copy.dispose()
  }
})
