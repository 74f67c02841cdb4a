import { APP_PATHS } from '@deeb/core/paths'
import { type BrowserContext, expect } from '@playwright/test'
import { becomeUser, MARA, openEveryPath, test } from '../test.ts'

const FOR_VISITORS = [
  APP_PATHS.signIn,
  APP_PATHS.signUp,
  APP_PATHS.confirm,
  APP_PATHS.forgotPassword,
  APP_PATHS.resetPassword,
  APP_PATHS.companySignIn,
  APP_PATHS.circle,
]

/** The violations of the content security policy and of Trusted Types, in all pages that are opened from now on. */
async function violationsIn(context: BrowserContext): Promise<string[]> {
  const violations: string[] = []
  await context.exposeBinding('noteViolation', (_, text: string) => violations.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, documentURI }) => {
      const { noteViolation } = window as unknown as { noteViolation: (text: string) => void }
      noteViolation(`${effectiveDirective} ${blockedURI} ${new URL(documentURI).pathname}`)
    })
  })
  return violations
}

test('no path of the app violates its policy, on the first visit and with a 304', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  const violations = await violationsIn(context)
  const isAllowed = async () => expect(violations).toEqual([])
  await openEveryPath(page, server, isAllowed, FOR_VISITORS)
  await becomeUser(page, server, MARA)
  await openEveryPath(page, server, isAllowed)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const statuses: number[] = []
  devtools.on('Network.responseReceivedExtraInfo', ({ statusCode }) => statuses.push(statusCode))
  await page.reload()
  await expect(page.locator('h1').first()).toBeAttached()
  expect(statuses).toContain(304)
  expect(violations).toEqual([])
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('no path of the app violates its policy, with the page from the worker', { tag: '@heavy' }, async ({
    page,
    context,
    server,
  }) => {
    const violations = await violationsIn(context)
    await becomeUser(page, server, MARA)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await openEveryPath(page, server, async (answer) => expect(answer?.fromServiceWorker()).toBe(true))
    expect(violations).toEqual([])
  })
})

test('an inline script with a changed byte is blocked', async ({ browser, server }) => {
  // Without `watch`: the blocked script is an error in the console.
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const violations = await violationsIn(context)
  const page = await context.newPage()
  await becomeUser(page, server, MARA)
  expect(violations).toEqual([])
  await page.route('**/app/home', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('</script>', ' </script>')
    await route.fulfill({ response, body })
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  expect(violations).toEqual(['script-src-elem inline /app/home'])
  await context.close()
})
