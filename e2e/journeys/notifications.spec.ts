import { type BrowserContext, type CDPSession, expect, type Page, type Worker } from '@playwright/test'
import { type PushService, type ReceivedPush, startPushService } from '../../server/src/testing/push-service.ts'
import { test as base, becomeUser, deebSwitch, expectClean, MARA, switchDeeb } from '../test.ts'

const test = base.extend<{ pushService: PushService }>({
  pushService: async ({ browserName: _ }, use) => {
    const pushService = await startPushService()
    await use(pushService)
    await pushService.close()
  },
})

// Monday 15 June 2026, 09:00 in Berlin.
const STARTS_AT = '2026-06-15T07:00:00Z'
test.use({
  setting: { env: { PUSH: 'local' } },
  startsAt: STARTS_AT,
  timezoneId: 'Europe/Berlin',
  serviceWorkers: 'allow',
})

const ADA = { ...MARA, email: 'ada.novak@fjordlab.example', username: 'ada' }

async function call<Answer>(page: Page, path: string, data?: object): Promise<Answer> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('deeb.auth.token') ?? '').access_token)
  const headers = { authorization: `Bearer ${token}` }
  const url = new URL(path, page.url()).href
  const answer = await page.request.fetch(url, data ? { method: 'POST', headers, data } : { headers })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return await answer.json()
}

/** Connects the users of two pages. */
async function connect(page: Page, ada: Page): Promise<void> {
  const { people } = await call<{ people: { id: string }[] }>(page, '/api/team/search?query=ada')
  const { connectionId } = await call<{ connectionId: string }>(page, '/api/team/requests', { userId: people[0]?.id })
  await call(ada, '/api/team/requests/answer', { requestId: connectionId, answer: 'accepted' })
}

/**
 * The browser of the tests has no push service, and refuses notifications whatever it is asked. So here the page is allowed to show
 * them, and subscribes at the push service of this test. Returns what arrives there.
 */
async function allowNotifications(context: BrowserContext, pushService: PushService): Promise<ReceivedPush[]> {
  const received: ReceivedPush[] = []
  await context.exposeFunction('subscribeHere', (publicKey: string) => {
    const browser = pushService.subscribe(publicKey)
    browser.received.push = (...pushes) => received.push(...pushes)
    return browser.subscription
  })
  await context.addInitScript(() => {
    const here = window as unknown as {
      subscribeHere(key: string): Promise<{ endpoint: string; p256dh: string; auth: string }>
    }
    Object.defineProperty(Notification, 'permission', { get: () => sessionStorage.getItem('permission') ?? 'default' })
    Notification.requestPermission = async () => {
      sessionStorage.setItem('permission', 'granted')
      return 'granted'
    }
    PushManager.prototype.subscribe = async (options) => {
      const { endpoint, ...keys } = await here.subscribeHere(String(options?.applicationServerKey))
      return { toJSON: () => ({ endpoint, keys }) } as unknown as PushSubscription
    }
  })
  return received
}

/** A notification that the service worker wants to show. */
interface Shown {
  title: string
  options: { body: string; silent?: boolean; actions?: { action: string; title: string }[]; data: object }
}

/** The service worker of the page, with lists in place of the system that shows notifications and opens tabs. */
async function workerOf(page: Page): Promise<Worker> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('There is no service worker.')
  await worker.evaluate(() => {
    const scope = self as unknown as { shown: Shown[]; opened: string[]; registration: object; clients: object }
    Object.assign(scope, { shown: [], opened: [] })
    const showNotification = async (title: string, options: Shown['options']) =>
      void scope.shown.push({ title, options })
    Object.assign(scope.registration, { showNotification })
    Object.assign(scope.clients, { openWindow: async (path: string) => void scope.opened.push(path) })
  })
  return worker
}

/** Gives the service worker a push message, as the browser does with one that it has decrypted. Resolves with what it shows. */
async function deliver(page: Page, worker: Worker, push: ReceivedPush | undefined): Promise<Shown> {
  const cdp = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  const registrationId = await registrationAt(cdp, `${origin}/app`)
  const data = JSON.stringify(push?.message)
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  const shown = () => worker.evaluate(() => (self as unknown as { shown: Shown[] }).shown)
  await expect.poll(shown).toHaveLength(1)
  return (await shown())[0] as Shown
}

function registrationAt(cdp: CDPSession, scope: string): Promise<string> {
  return new Promise((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL === scope)
      if (registration) resolve(registration.registrationId)
    })
    void cdp.send('ServiceWorker.enable')
  })
}

/** Presses a notification or its button, as the system does, at the time of the page. */
async function press(page: Page, worker: Worker, { options: { data } }: Shown, action = ''): Promise<void> {
  const nowMs = await page.evaluate(() => Date.now())
  await worker.evaluate(
    ({ nowMs, data, action }) => {
      Date.now = () => nowMs
      const notification = { data, close: () => undefined }
      const event = Object.assign(new Event('notificationclick'), { action, notification, waitUntil: () => undefined })
      self.dispatchEvent(event)
    },
    { nowMs, data, action },
  )
}

test('the bell of a colleague tells once when she is free, in the open app and by a notification', {
  tag: '@heavy',
}, async ({ page, context, newDevice, server, pushService }) => {
  const received = await allowNotifications(context, pushService)
  await becomeUser(page, server, MARA)
  const ada = await newDevice()
  await ada.clock.install({ time: STARTS_AT })
  await becomeUser(ada, server, ADA)
  await connect(page, ada)
  await switchDeeb(ada, 'on')
  await page.getByRole('button', { name: /^Team/ }).click()
  await page.getByRole('button', { name: /^Ada Novak/ }).click()
  const bell = page.getByRole('button', { name: 'Tell me when Ada Novak is free' })
  await expect(bell).toHaveAttribute('aria-pressed', 'false')
  const worker = await workerOf(page)
  const subscribed = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  await bell.click()
  expect((await subscribed).url()).toMatch(/\/api\/push$/)
  await expect(bell).toHaveAttribute('aria-pressed', 'true')
  await expectClean(page)

  await switchDeeb(ada, 'off')
  await expect(bell).toHaveAttribute('aria-pressed', 'true')
  // A message that waits when the app says that it has told her is not sent.
  await page.route('**/api/team/alerts', async (route) => {
    if (route.request().method() === 'POST') await expect.poll(() => received.length).toBe(1)
    await route.continue()
  })
  await server.travel(3, () => page.clock.fastForward(3 * 60_000))
  await expect(page.getByText('Ada Novak is free')).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText(/^Since 09:0\d\.$/)).toBeVisible()
  await expect(bell).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => received.length).toBe(1)

  await page.getByRole('button', { name: 'Profile' }).click()
  const shown = await deliver(page, worker, received[0])
  expect(shown).toMatchObject({
    title: 'Ada Novak is free',
    options: { body: expect.stringMatching(/^Since 09:0\d/) },
  })
  await press(page, worker, shown)
  await expect(page).toHaveURL(`${server.url}/app/team`)
  await page.reload()
  await expect(page.getByText('Available', { exact: true })).toBeVisible()
  await expect(page.getByText('Ada Novak is free')).toHaveCount(0)

  const opened = () => worker.evaluate(() => (self as unknown as { opened: string[] }).opened)
  expect(await opened()).toEqual([])
  // A page of the site is no tab of the app.
  await page.goto(`${server.url}/robots.txt`)
  await press(page, worker, shown)
  await expect.poll(opened).toEqual(['/app/team'])
})

test('the notification of a session that may be forgotten switches it off', { tag: '@heavy' }, async ({
  page,
  context,
  server,
  pushService,
}) => {
  const received = await allowNotifications(context, pushService)
  await becomeUser(page, server, MARA)
  const worker = await workerOf(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Notifications' }).click()
  const onThisDevice = page.getByRole('switch', { name: 'Notifications on this device' })
  const reminder = page.getByRole('switch', { name: 'Remind me that deeb mode is still on' })
  await expect(onThisDevice).not.toBeChecked()
  await expect(reminder).toHaveCount(0)
  await onThisDevice.click()
  await expect(onThisDevice).toBeChecked()
  await expect(reminder).toBeChecked()
  await expectClean(page)

  await page.getByRole('button', { name: 'Back to Settings' }).click()
  await page.getByRole('button', { name: 'Home' }).click()
  await switchDeeb(page, 'on')
  await server.travel(4 * 60 + 5, () => page.clock.fastForward((4 * 60 + 5) * 60_000))
  await expect.poll(() => received.length, { timeout: 40_000 }).toBe(1)
  const shown = await deliver(page, worker, received[0])
  expect(shown).toMatchObject({
    title: 'Still in deeb mode?',
    options: {
      body: expect.stringMatching(/^Since 09:0\d/),
      silent: true,
      actions: [{ action: 'switch-off', title: 'Switch off' }],
    },
  })
  const stopped = page.waitForResponse((answer) => answer.url().endsWith('/api/focus/stop') && answer.ok())
  await press(page, worker, shown, 'switch-off')
  await stopped
  await expect(deebSwitch(page)).not.toBeChecked()
})
