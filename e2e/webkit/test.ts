import { expect, type PlaywrightWorkerArgs } from '@playwright/test'
import { WebKitWindow } from '../engines/webkit.ts'
import type { TestServer } from '../server.ts'
import { test as base, makeAccount, type Person } from '../test.ts'

interface Fixtures {
  /** A window with its own storage: another device, or another user. The test fails on an error in its pages. */
  newWindow: (size?: { width?: number; height?: number }) => Promise<WebKitWindow>
}

export const test = base.extend<Fixtures>({
  // Depends on `server`, so that the server still answers until the windows are closed.
  newWindow: async ({ server: _ }, use, info) => {
    const windows: WebKitWindow[] = []
    await use(async (size) => {
      const window = await WebKitWindow.open(size)
      windows.push(window)
      return window
    })
    if (info.status !== info.expectedStatus)
      for (const window of windows)
        console.log(await window.evaluate(() => `${location.href} shows\n${document.body.innerText}`))
    const errors = await Promise.all(windows.map((window) => window.errors().catch(String)))
    await Promise.all(windows.map((window) => window.close()))
    expect(errors.flat(), 'errors of the pages').toEqual([])
  },
})

/** Creates an account with a username and default goals through the API, and signs in on the screen. */
export async function becomeUser(
  window: WebKitWindow,
  playwright: PlaywrightWorkerArgs['playwright'],
  server: TestServer,
  person: Person,
): Promise<void> {
  const request = await playwright.request.newContext()
  await makeAccount(request, server, person)
  await request.dispose()
  await window.goto(`${server.url}/app`)
  await window.fill('Email', person.email)
  await window.fill('Password', person.password)
  await window.click('button', 'Sign In')
  await window.see('heading', `Hi ${person.username}`)
  await hasNoToast(window)
}

/** Waits until no toast covers what a journey clicks next. */
export async function hasNoToast(window: WebKitWindow): Promise<void> {
  await expect.poll(() => window.evaluate(() => document.querySelector('.toast') === null)).toBe(true)
}

/** Presses the switch and waits for the server's response, so that a later jump of the clock does not move the press. */
export async function switchDeeb(window: WebKitWindow, to: 'on' | 'off'): Promise<void> {
  const answers = (path: string) =>
    window.evaluate(
      (path) => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(path)).length,
      path,
    )
  const path = `/api/focus/${to === 'on' ? 'start' : 'stop'}`
  const before = await answers(path)
  await window.click('switch', 'deeb')
  await expectSwitch(window, to)
  await expect.poll(() => answers(path)).toBeGreaterThan(before)
}

export async function expectSwitch(window: WebKitWindow, state: 'on' | 'off', timeout = 20_000): Promise<void> {
  const isOn = () => window.attribute('switch', 'deeb', 'aria-checked').catch(String)
  await expect.poll(isOn, { message: `the switch is ${state}`, timeout }).toBe(String(state === 'on'))
}
