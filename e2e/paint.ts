import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import type { TestServer } from './server.ts'
import { deebSwitch, MARA, makeAccount } from './test.ts'

/** Slow 4G, in bytes and ms. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const CPU_SLOWDOWN = 4

/** In ms, from `pointerdown`. */
export interface PressTimes {
  toChange: number
  toPaint: number
}

interface Probe {
  /** In ms, from the navigation. */
  ring?: number
  press?: PressTimes
}

declare global {
  interface Window {
    paintProbe: Probe
  }
}

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** The storage of a browser in which a new user has signed in and opened nothing. */
export async function signedInStorage(browser: Browser, server: TestServer): Promise<StorageState> {
  const context = await browser.newContext()
  const { session } = await makeAccount(context.request, server, MARA)
  const tokens = JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + session.expires_in })
  const { cookies } = await context.storageState()
  await context.close()
  return { cookies, origins: [{ origin: server.url, localStorage: [{ name: 'deeb.auth.token', value: tokens }] }] }
}

/** A page that measures when the ring and the answer to a press are painted. */
export async function probedPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const probe: Probe = {}
    window.paintProbe = probe
    const afterPaint = (done: (now: number) => void) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(performance.now())
        port2.postMessage(null)
      })
    const rings = new MutationObserver(() => {
      if (!document.querySelector('.home-ring .ring-frame')) return
      rings.disconnect()
      afterPaint((now) => Object.assign(probe, { ring: now }))
    })
    rings.observe(document, { childList: true, subtree: true })
    let pressedAt = 0
    document.addEventListener('pointerdown', ({ timeStamp }) => {
      pressedAt = timeStamp
    })
    new MutationObserver(() => {
      const toChange = performance.now() - pressedAt
      afterPaint((now) => Object.assign(probe, { press: { toChange, toPaint: now - pressedAt } }))
    }).observe(document, { attributeFilter: ['data-focus'], subtree: true })
  })
  return page
}

/** Slows down the network and the processor of a page, as on a phone. */
export async function slowDown(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return devtools
}

/** Returns the time at which the ring was painted, in ms from the navigation. */
export async function ringPaintedAt(page: Page): Promise<number> {
  const ring = await page.waitForFunction(() => window.paintProbe.ring)
  return (await ring.jsonValue()) as number
}

/** Presses the switch and resolves to how long its answer took. */
export async function pressSwitch(page: Page): Promise<PressTimes> {
  await page.evaluate(() => {
    delete window.paintProbe.press
  })
  await deebSwitch(page).click()
  const press = await page.waitForFunction(() => window.paintProbe.press)
  return (await press.jsonValue()) as PressTimes
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const last = sorted.length - 1
  return ((sorted[Math.floor(last / 2)] ?? Number.NaN) + (sorted[Math.ceil(last / 2)] ?? Number.NaN)) / 2
}
