#!/usr/bin/env node
// Playwright starts this file instead of Firefox. It starts the Firefox at $FIREFOX and passes WebDriver BiDi messages on, with two
// changes: commands that Firefox ESR does not know are acknowledged here, and text is typed with trusted input events.
import { spawn } from 'node:child_process'
import { WebSocket, WebSocketServer } from 'ws'

/** Playwright sends this for each browser context and gives up if it is refused. */
const UNKNOWN_COMMANDS = new Set(['emulation.setMediaFeaturesOverride'])

/** The id of the command below. Those of Playwright count from 1. */
const OWN_ID = 1_000_000_000

/** Playwright's `fill` sets `value` from a script, and React ignores that. `insertText` sends the events of a keyboard. */
const TYPE_AS_KEYBOARD = `() => Object.defineProperty(window, '__pw_bidiInsertText', {
  set() {},
  get: () => (text) => {
    const focused = document.activeElement
    if (/^i?frame$/i.test(focused?.nodeName)) return focused
    document.execCommand('insertText', false, text)
  },
})`

const firefox = spawn(process.env.FIREFOX, process.argv.slice(2), { stdio: ['ignore', 'pipe', 'pipe'] })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal))
firefox.once('exit', (code) => process.exit(code ?? 0))
firefox.stdout.pipe(process.stdout)

let output = ''
firefox.stderr.on('data', (chunk) => {
  output += chunk
  const address = /WebDriver BiDi listening on (ws:\/\/\S+)\s/.exec(output)?.[1]
  if (!address) return
  output = ''
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  )
  server.on('connection', (playwright) => passOn(playwright, new WebSocket(`${address}/session`)))
})

/** Passes messages between Playwright and the browser until one of them closes. */
function passOn(playwright, browser) {
  const early = []
  /** The navigations without an answer, by id. */
  const navigations = new Map()
  const send = (message) => (browser.readyState === WebSocket.OPEN ? browser.send(message) : early.push(message))
  playwright.on('message', (data) => {
    const text = String(data)
    const { id, method } = JSON.parse(text)
    if (UNKNOWN_COMMANDS.has(method)) return playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
    send(text)
    if (method === 'browsingContext.navigate') navigations.set(id, text)
    if (method !== 'session.new') return
    const params = { functionDeclaration: TYPE_AS_KEYBOARD }
    send(JSON.stringify({ id: OWN_ID, method: 'script.addPreloadScript', params }))
  })
  browser.on('open', () => early.splice(0).forEach(send))
  browser.on('message', (data) => {
    const text = String(data)
    if (text.includes(`"id":${OWN_ID}`)) return
    // A page that changes its own address cancels a navigation that has just begun. The other engines go on with it.
    if (text.includes('NS_BINDING_ABORTED')) {
      const { id } = JSON.parse(text)
      const navigation = navigations.get(id)
      navigations.delete(id)
      if (navigation) return send(navigation)
    }
    playwright.send(text)
  })
  for (const event of ['close', 'error']) browser.on(event, () => playwright.close())
  playwright.on('close', () => browser.close())
}
