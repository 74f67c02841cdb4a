import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import axe from 'axe-core'
import { freePort } from '../../server/src/testing/free-port.ts'
import { killAtExit } from '../../server/src/testing/kill-at-exit.ts'

const WINDOW = fileURLToPath(new URL('webkit-window.py', import.meta.url))

/** The key codes of WebDriver. */
const KEYS: Record<string, string> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: ' ',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
  PageDown: '\uE00F',
  Home: '\uE011',
}

/** A value of the page: an element that a function there receives, or what the function returns. */
// biome-ignore lint/suspicious/noExplicitAny: the page is not type checked.
type PageValue = any

type Box = { x: number; y: number; width: number; height: number }

/**
 * The first visible element of a role and an accessible name, like `getByRole` of Playwright; the role `text` is any element. axe
 * computes both, since WebDriver knows them of one element at a time.
 */
const FIND = `(role, source, flags) => {
  const pattern = new RegExp(source, flags)
  const textOf = (element) => element.textContent.replace(/\\s+/g, ' ').trim()
  axe.setup(document.documentElement)
  try {
    const { aria, dom, text } = axe.commons
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && dom.isVisibleToScreenReaders(element)
    const matches = [...document.body.querySelectorAll('*')].filter((element) =>
      role === 'text'
        ? pattern.test(textOf(element)) && isShown(element)
        : aria.getRole(element) === role && isShown(element) && pattern.test(text.accessibleText(element)))
    return (role === 'text' ? matches.at(-1) : matches[0]) ?? null
  } finally {
    axe.teardown()
  }
}`

/** A window of WebKitGTK with its own storage, driven by classic WebDriver. */
export class WebKitWindow {
  readonly #processes: ChildProcess[]
  readonly #profile: string
  readonly #session: string

  private constructor(processes: ChildProcess[], profile: string, session: string) {
    this.#processes = processes
    this.#profile = profile
    this.#session = session
  }

  static async open({ width = 390, height = 844 } = {}): Promise<WebKitWindow> {
    // Each window has its own screen, since only one window of a screen has the focus.
    const screenArgs = ['-displayfd', '3', '-screen', '0', '1600x1300x24', '-nolisten', 'tcp']
    const screen = killAtExit(spawn('Xvfb', screenArgs, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }))
    const [display] = await once(screen.stdio[3] as Readable, 'data')
    const port = await freePort()
    const env = {
      ...process.env,
      DISPLAY: `:${String(display).trim()}`,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
    }
    const driver = killAtExit(spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' }))
    const profile = await mkdtemp(join(tmpdir(), 'deeb-webkit-'))
    const url = `http://127.0.0.1:${port}`
    await expect
      .poll(() =>
        fetch(`${url}/status`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true)
    const args = [`--width=${width}`, `--height=${height}`, `--profile=${profile}`]
    const options = { timeouts: { script: 60_000 }, 'webkitgtk:browserOptions': { binary: WINDOW, args } }
    const { sessionId } = await send('POST', `${url}/session`, { capabilities: { alwaysMatch: options } })
    return new WebKitWindow([driver, screen], profile, `${url}/session/${sessionId}`)
  }

  async close(): Promise<void> {
    await send('DELETE', this.#session).catch(() => undefined)
    for (const child of this.#processes) {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    }
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  async goto(url: string): Promise<void> {
    await send('POST', `${this.#session}/url`, { url })
  }

  async reload(): Promise<void> {
    await send('POST', `${this.#session}/refresh`)
  }

  /** Calls a function in the page. It must not use what surrounds it here. */
  async evaluate<Args extends unknown[]>(
    f: string | ((...args: Args) => PageValue),
    ...args: Args
  ): Promise<PageValue> {
    const script = `const done = arguments[arguments.length - 1]
      ;(async () => (${f})(...Array.prototype.slice.call(arguments, 0, -1)))().then(
        (value) => done({ value: value ?? null }),
        (error) => done({ error: String(error) }))`
    const { value, error } = await send('POST', `${this.#session}/execute/async`, { script, args })
    if (error) throw new Error(error)
    return value
  }

  /** Calls a function in the page with the element of that role and name first, null if there is none. */
  async evaluateOn(
    role: string,
    name: string | RegExp,
    f: string | ((element: PageValue, ...args: PageValue[]) => PageValue),
    ...args: unknown[]
  ): Promise<PageValue> {
    if (!(await this.evaluate(() => 'axe' in window))) await this.evaluate(`() => { ${axe.source} }`)
    const { source, flags } =
      typeof name === 'string' ? new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i') : name
    return await this.evaluate(
      `(role, source, flags, ...args) => (${f})((${FIND})(role, source, flags), ...args)`,
      role,
      source,
      flags,
      ...args,
    )
  }

  has(role: string, name: string | RegExp): Promise<boolean> {
    return this.evaluateOn(role, name, (element) => element !== null)
  }

  /** Waits until the page shows the element. */
  async see(role: string, name: string | RegExp, { timeout = 20_000 } = {}): Promise<void> {
    await expect.poll(() => this.has(role, name).catch(String), { message: `${role} ${name}`, timeout }).toBe(true)
  }

  attribute(role: string, name: string | RegExp, attribute: string): Promise<string | null> {
    return this.evaluateOn(role, name, (element, attribute) => element?.getAttribute(attribute) ?? null, attribute)
  }

  box(role: string, name: string | RegExp): Promise<Box | null> {
    return this.evaluateOn(role, name, (element) => element?.getBoundingClientRect().toJSON())
  }

  /** Clicks the middle of the element when it does not move and nothing covers it. */
  async click(role: string, name: string | RegExp): Promise<void> {
    let last: number[] | null = null
    await expect
      .poll(
        async () => {
          const before = String(last)
          last = await this.evaluateOn(role, name, middleOfUncovered).catch(() => null)
          return last !== null && String(last) === before
        },
        { message: `${role} ${name} can be clicked`, intervals: [50] },
      )
      .toBe(true)
    const [x, y] = last as unknown as [number, number]
    await this.clickAt(x, y)
  }

  async clickAt(x: number, y: number): Promise<void> {
    await this.drag(x, y, 0)
  }

  /** Presses the mouse button at a point, moves down by `dy` and releases. */
  async drag(x: number, y: number, dy: number): Promise<void> {
    const moveTo = (y: number, duration = 0) => ({ type: 'pointerMove', duration, x: Math.round(x), y: Math.round(y) })
    const moves = dy === 0 ? [] : [1, 2, 3, 4, 5, 6, 7, 8].map((part) => moveTo(y + (dy * part) / 8, 30))
    const actions = [moveTo(y), { type: 'pointerDown', button: 0 }, ...moves, { type: 'pointerUp', button: 0 }]
    await this.#act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions })
  }

  async turnWheel(x: number, y: number, deltaY: number): Promise<void> {
    const scroll = { type: 'scroll', x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY, duration: 0 }
    await this.#act({ type: 'wheel', id: 'wheel', actions: [scroll] })
  }

  /** Presses keys one after the other, each by its name or its character. */
  async press(...keys: string[]): Promise<void> {
    const values = keys.map((key) => KEYS[key] ?? key)
    const actions = values.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#act({ type: 'key', id: 'keyboard', actions })
  }

  /** Types into a text field. */
  async fill(name: string | RegExp, text: string, role: 'textbox' | 'searchbox' = 'textbox'): Promise<void> {
    await this.see(role, name)
    await this.evaluateOn(role, name, (field) => {
      field.focus()
      field.select()
    })
    await this.press(...text)
  }

  async screenshot(path: string): Promise<void> {
    await writeFile(path, Buffer.from(await send('GET', `${this.#session}/screenshot`), 'base64'))
  }

  /** The errors of the page since it was loaded: of scripts, the console and the content security policy. */
  errors(): Promise<string[]> {
    return this.evaluate('() => window.errorsSeen')
  }

  async #act(source: object): Promise<void> {
    await send('POST', `${this.#session}/actions`, { actions: [source] })
  }
}

/** Runs in the page. */
function middleOfUncovered(element: HTMLElement | null): number[] | null {
  if (!element) return null
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const { x, y, width, height } = element.getBoundingClientRect()
  const middle = [x + width / 2, y + height / 2] as const
  const top = document.elementFromPoint(...middle)
  return top && element.contains(top) ? [...middle] : null
}

/** One command of WebDriver. */
async function send(method: 'GET' | 'POST' | 'DELETE', url: string, body: object = {}): Promise<PageValue> {
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) })
  const { value } = await response.json()
  if (value?.error) throw new Error(`${value.error}: ${value.message}`)
  return value
}
