import { startFocus } from '@deeb/core/focus/api'
import { deviceZone } from '@deeb/core/focus/device-zone'
import { type OwnState, ownState } from '@deeb/core/focus/own-state'
import { switchFocus } from '@deeb/core/focus/program-api'
import * as texts from '@deeb/texts/extension'
import { v7 as uuidv7 } from 'uuid'
import { beginConnection } from './connect.ts'
import { showIcon } from './icon.ts'
import './language.ts'
import type { Message, Outcome } from './messages.ts'
import { noteActivity } from './nudge.ts'
import { applyQuietList, dropDenied, openAnyway } from './quiet-list.ts'
import { CallError, call, isDeeb, type Login, readStream, SILENCE_MS } from './server.ts'
import { type Current, type Kept, keep, onStored, readCurrent, readKept, setCurrent } from './storage.ts'

/** The browser ends this script when nothing happens for 30 seconds, and starts it for each event. The alarm is one. */
const CHECK_MINUTES = 0.5
/** How long a connection may take until the state counts as not known. */
const HELLO_WITHIN_MS = 10_000
const UNTIL_MINUTES = [25, 50, 90]

/** Each stream above the server's limit ends an older one, such as that of a tab. */
const TOO_MANY_MS = 5 * 60_000
/** The second press of a double click is none. */
const DOUBLE_CLICK_MS = 600

/** The running stream. */
let stream: AbortController | null = null
let isSwitching = false
let pressedAt = 0
/** One after another: the newest is the last. */
let noted = Promise.resolve()
let shown = Promise.resolve()

chrome.runtime.onInstalled.addListener(({ reason }) => {
  makeMenu()
  if (reason === 'install') void openPage()
})
chrome.runtime.onStartup.addListener(() => void check())
chrome.alarms.onAlarm.addListener(() => void check())
chrome.action.onClicked.addListener((tab) => void press(tab))
chrome.contextMenus.onClicked.addListener(({ menuItemId }) => void choose(String(menuItemId)))
chrome.runtime.onMessage.addListener((message: Message, _sender, respond) => {
  void answer(message).then(respond)
  return true
})
chrome.permissions.onRemoved.addListener(() => void dropDenied())
chrome.storage.onChanged.addListener(({ login, nudges }, area) => {
  if (area !== 'local') return
  if (login) {
    stream?.abort()
    void setCurrent({ known: null, opened: [], waitUntil: 0 }).then(check)
  } else if (nudges) void check()
})
onStored((kept, current) => {
  shown = shown.then(() => show(kept, current)).catch(console.error)
})
void check()

/** Opens the stream if there is none, and notices that the state is not known any more. */
async function check(): Promise<void> {
  const [{ login }, { known, waitUntil }] = await Promise.all([readKept(), readCurrent()])
  if (!login) await chrome.alarms.clear('check')
  // Chromium forgets alarms in some updates.
  else if (!(await chrome.alarms.get('check'))) await chrome.alarms.create('check', { periodInMinutes: CHECK_MINUTES })
  // By the clock on the wall: timers do not run while a laptop sleeps.
  if (known && Date.now() - known.at > SILENCE_MS) {
    stream?.abort()
    await setCurrent({ known: null })
  }
  await noteActivity()
  if (login && (!stream || stream.signal.aborted) && Date.now() >= waitUntil) void follow(login)
}

/** Follows one stream until it ends. The next check opens another: immediately if the server wants a new one. */
async function follow(login: Login): Promise<void> {
  const ended = new AbortController()
  let isRenewed = false
  stream = ended
  const hello = setTimeout(() => void setCurrent({ known: null }), HELLO_WITHIN_MS)
  let state: OwnState | null = null
  let version = Number.NEGATIVE_INFINITY
  // A call to the browser also keeps it from ending this script.
  const onAlive = () => void (state && noteState(login, state, version))
  try {
    for await (const event of readStream(login, onAlive, ended)) {
      if (event.type === 'bye') {
        isRenewed = event.reason === 'renew'
        if (event.reason === 'too-many') await setCurrent({ known: null, waitUntil: Date.now() + TOO_MANY_MS })
      }
      if (event.type !== 'hello' && event.type !== 'me-changed') continue
      clearTimeout(hello)
      if (event.version < version) continue
      version = event.version
      state = ownState(event)
      onAlive()
    }
  } catch (error) {
    if (error instanceof CallError && error.reason === 'signed out') await keep({ login: null })
    // Not if another stream has taken its place.
    if (stream === ended) await setCurrent({ known: null })
  }
  clearTimeout(hello)
  if (stream === ended) stream = null
  if (isRenewed) await check()
}

/** Notes a state that the server has said, unless a newer one is known. Not if another login has taken its place. */
function noteState({ token }: Login, state: OwnState, version: number): Promise<void> {
  noted = noted.then(async () => {
    const [{ login }, { known }] = await Promise.all([readKept(), readCurrent()])
    if (login?.token !== token) return
    const newest = known && known.version > version ? known : { state, version }
    await setCurrent({ known: { ...newest, at: Date.now() } })
  })
  // A write that fails does not end the chain.
  noted = noted.catch(console.error)
  return noted
}

/** Switches, or connects if there is no connection. */
async function press(tab: chrome.tabs.Tab): Promise<void> {
  const { login } = await readKept()
  if (login) {
    const isSecond = Date.now() - pressedAt < DOUBLE_CLICK_MS
    pressedAt = Date.now()
    if (!isSecond) await switchTo('other')
    return
  }
  // With the press the browser allows the address of this tab.
  const origin = tab.url && /^https?:/.test(tab.url) ? new URL(tab.url).origin : null
  if (origin && tab.id !== undefined && (await isDeeb(origin))) {
    await chrome.tabs.update(tab.id, { url: await beginConnection(origin) })
  } else await openPage()
}

/** Switches on, off, or to the other state. */
function switchTo(on: boolean | 'other', forMinutes?: number): Promise<Outcome> {
  return change(async (login) => {
    const known = (await readCurrent()).known?.state.inDeebMode
    const wanted = on === 'other' ? (known === undefined ? 'toggle' : !known) : on
    const length = forMinutes === undefined ? {} : { forMinutes }
    const state = await call(login, switchFocus, { on: wanted, ...length, ...deviceZone(new Date()) })
    await noteState(login, ownState(state), state.version)
  })
}

/** Starts a session at the time since which the person has been active. */
async function countNudge(): Promise<Outcome> {
  const { nudgeSince, known } = await readCurrent()
  if (nudgeSince === null || !known) return 'busy'
  return change(async (login) => {
    const now = new Date()
    const times = { actedAt: new Date(nudgeSince).toISOString(), sentAt: now.toISOString() }
    const { session, serverTime } = await call(login, startFocus, { sessionId: uuidv7(), times, ...deviceZone(now) })
    // The answer has no version. It is higher.
    await noteState(login, ownState({ openSession: session, serverTime }), known.version + 1)
  })
}

/** Makes one change at a time. */
async function change(send: (login: Login) => Promise<void>): Promise<Outcome> {
  const { login } = await readKept()
  if (!login || isSwitching) return 'busy'
  isSwitching = true
  try {
    await send(login)
    await setCurrent({ active: null, nudgeSince: null })
    return 'done'
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.reason === 'signed out') await keep({ login: null })
    if (error.reason === 'unreachable') await setCurrent({ known: null })
    return error.reason === 'refused' ? 'refused' : 'unreachable'
  } finally {
    isSwitching = false
    void check()
  }
}

async function answer(message: Message): Promise<unknown> {
  if (message.type === 'switch') return switchTo(message.on)
  if (message.type === 'count') return countNudge()
  if (message.type === 'not now') return setCurrent({ active: null, nudgeSince: null })
  if (message.type === 'open anyway') return openAnyway(message.site)
  if (message.type === 'connect') return (await isDeeb(message.origin)) ? beginConnection(message.origin) : null
  return null
}

async function choose(item: string): Promise<void> {
  const { login } = await readKept()
  if (item.startsWith('until ')) await switchTo(true, Number(item.slice('until '.length)))
  else if (item === 'open' && login) await chrome.tabs.create({ url: `${login.server}/app/home` })
  else await openPage()
}

function openPage(): Promise<unknown> {
  return chrome.tabs.create({ url: chrome.runtime.getURL('page.html') })
}

function makeMenu(): void {
  chrome.contextMenus.removeAll(() => {
    const contexts: [`${chrome.contextMenus.ContextType}`] = ['action']
    for (const count of UNTIL_MINUTES) {
      chrome.contextMenus.create({ id: `until ${count}`, title: texts.onFor({ count }), contexts })
    }
    chrome.contextMenus.create({ id: 'open', title: texts.openDeeb(), contexts })
    chrome.contextMenus.create({ id: 'page', title: texts.settings(), contexts })
  })
}

/** Shows the state on the icon, and keeps the sites of the quiet list away in deeb mode. */
async function show(kept: Kept, current: Current): Promise<void> {
  await showIcon(kept, current)
  await applyQuietList(kept, current)
}
