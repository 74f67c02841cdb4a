import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { firefoxPath } from './find.ts'

const ID = '{8f2f3c1e-6b0d-4f0e-9a55-4d1b7c1d5eeb}'
const BUILT = fileURLToPath(new URL('../../extension/dist', import.meta.url))
const WIDGET = `${ID.replace(/[{}]/g, '_')}-browser-action`
/** The button in the toolbar. */
const ICON = `document.getElementById('${WIDGET.replace('browser-action', 'BAP')}')`
const ENTER = '\uE007'

/** A tab, or the window of the browser. */
type Target = string

/**
 * A Firefox in which our extension is installed, by WebDriver BiDi: Playwright cannot run its scripts in pages of an extension. `site` is a
 * name that leads to this machine.
 */
export class FirefoxWithExtension {
  readonly #process: ChildProcess
  readonly #socket: WebSocket
  readonly #profile: string
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  #lastId = 0
  #window: Target = ''

  private constructor(process: ChildProcess, socket: WebSocket, profile: string) {
    this.#process = process
    this.#socket = socket
    this.#profile = profile
    socket.on('message', (data) => {
      const { id, type, result, error, message } = JSON.parse(String(data))
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (type === 'error') waiting?.reject(new Error(`${error}: ${message}`))
      else waiting?.resolve(result as never)
    })
  }

  static async launch(site: string): Promise<FirefoxWithExtension> {
    const profile = await mkdtemp(join(tmpdir(), 'deeb-firefox-'))
    const preferences = {
      // It grants what a page asks for in the answer to a press.
      'extensions.webextOptionalPermissionPrompts': false,
      'network.dns.localDomains': site,
    }
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
    await writeFile(join(profile, 'user.js'), lines.join('\n'))
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
    const firefox = spawn(firefoxPath ?? '', [...args, '--remote-allow-system-access'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const address = await new Promise<string>((resolve, reject) => {
      let output = ''
      firefox.once('exit', () => reject(new Error(`Firefox has ended: ${output}`)))
      firefox.stderr.on('data', (chunk) => {
        output += chunk
        const found = /WebDriver BiDi listening on (ws:\/\/\S+)\s/.exec(output)?.[1]
        if (found) resolve(found)
      })
    })
    const socket = new WebSocket(`${address}/session`)
    await new Promise((resolve) => socket.once('open', resolve))
    const browser = new FirefoxWithExtension(firefox, socket, profile)
    await browser.#send('session.new', { capabilities: {} })
    const [window] = await browser.#tabs({ 'moz:scope': 'chrome' })
    browser.#window = window?.context ?? ''
    await browser.#send('webExtension.install', { extensionData: { type: 'path', path: BUILT } })
    await browser.evaluate(browser.#window, `CustomizableUI.addWidgetToArea('${WIDGET}', CustomizableUI.AREA_NAVBAR)`)
    return browser
  }

  async open(url: string): Promise<Target> {
    const { context } = await this.#send<{ context: Target }>('browsingContext.create', { type: 'tab' })
    await this.#send('browsingContext.activate', { context })
    await this.#send('browsingContext.navigate', { context, url, wait: 'none' })
    return context
  }

  /** The address of a tab. */
  async urlOf(tab: Target): Promise<string> {
    return (await this.#tabs()).find(({ context }) => context === tab)?.url ?? ''
  }

  /** The newest tab with this page of the extension. */
  async pageOf(name: string): Promise<Target | undefined> {
    return (await this.#tabs()).findLast(({ url }) => url.startsWith('moz-extension:') && url.includes(name))?.context
  }

  async evaluate(target: Target, expression: string): Promise<unknown> {
    const params = { expression, target: { context: target }, awaitPromise: true }
    const { type, result } = await this.#send<{ type: string; result: { value?: unknown } }>('script.evaluate', params)
    if (type === 'exception') throw new Error(`This failed: ${expression}`)
    return result.value
  }

  /** The text that a tab shows. Empty while it loads. */
  textOf(tab: Target): Promise<unknown> {
    return this.evaluate(tab, 'document.body.innerText').catch(() => '')
  }

  /** Presses the newest button with this label, in a dialog if there is one. */
  pressButton(tab: Target, label: string): Promise<unknown> {
    const isLabelled = `({ textContent }) => textContent === ${JSON.stringify(label)}`
    return this.evaluate(tab, `[...document.querySelectorAll('button')].findLast(${isLabelled}).click()`)
  }

  /** Types the texts into fields, by their selectors, and presses Enter in the last. Firefox takes only keys for an answer of the user. */
  async submit(tab: Target, fields: Record<string, string>): Promise<void> {
    await this.#send('browsingContext.activate', { context: tab })
    const press = (keys: string[]) => {
      const actions = keys.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })))
      return this.#send('input.performActions', { context: tab, actions: [{ type: 'key', id: 'keys', actions }] })
    }
    for (const [selector, text] of Object.entries(fields)) {
      await this.evaluate(tab, `document.querySelector('${selector}').focus()`)
      await press([...text])
    }
    await press([ENTER])
  }

  /** Presses the icon in the toolbar. */
  pressIcon(): Promise<unknown> {
    return this.evaluate(this.#window, `${ICON}.click()`)
  }

  /** The title of the icon in the toolbar. */
  titleOfIcon(): Promise<unknown> {
    return this.evaluate(this.#window, `${ICON}.getAttribute('tooltiptext')`)
  }

  /** Ends the background script, as the browser does after 30 seconds without an event. */
  endBackground(): Promise<unknown> {
    const background = `WebExtensionPolicy.getByID('${ID}').extension`
    return this.evaluate(this.#window, `${background}.terminateBackground({ ignoreDevToolsAttached: true })`)
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill()
    await ended
    await rm(this.#profile, { recursive: true, force: true })
  }

  async #tabs(scope: object = {}): Promise<{ context: Target; url: string }[]> {
    return (await this.#send<{ contexts: { context: Target; url: string }[] }>('browsingContext.getTree', scope))
      .contexts
  }

  #send<Result>(method: string, params: object): Promise<Result> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as never, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }
}
