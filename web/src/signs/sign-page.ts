/* The script of a door sign: shows the state of the stream for as long as it is known to be true. */
import { linkSecretOf } from '@deeb/core/link-secret'
import { STALE_AFTER_SECONDS } from '@deeb/core/signs/display'
import type { SignState } from '@deeb/core/signs/sign'
import * as texts from '@deeb/texts/signPage'
import { createFreshness, createSteadyClock } from './freshness.ts'
import { readSign } from './read-sign.ts'
import { signText } from './sign-text.ts'

const TICK_MS = 1_000
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 15_000
/** A link that was refused may work again, as after a restored backup. */
const REFUSED_RETRY_MS = 600_000
const DRIFT_EVERY_MS = 60_000
/** In hundredths of the smaller side: the plug moves along a slow figure, so that no pixel is lit for days. */
const DRIFT = 1.5

const root = document.documentElement
const part = (id: string) => document.getElementById(id) as HTMLElement
const [words, times, person, dots] = [part('words'), part('times'), part('name'), part('dots')]

const clock = createSteadyClock()
const freshness = createFreshness(clock())
let state: SignState | null = null
let isRefused = false
let connection: AbortController | null = null

// A page that was sent with a state is right without script, and has no fragment.
if (!root.hasAttribute('data-sent')) start(linkSecretOf(location.hash))

function start(token: string | null): void {
  addEventListener('hashchange', () => location.reload())
  if (token === null) {
    show('unknown', { words: texts.incompleteLink(), times: texts.copyWholeLink() })
    return
  }
  void keepReading(token)
  setInterval(render, TICK_MS)
  render()
  setInterval(drift, DRIFT_EVERY_MS)
  addEventListener('online', reconnect)
  document.addEventListener('visibilitychange', () => {
    render()
    void stayAwake()
  })
  // A page that the browser restores from its memory must not begin with an old state.
  addEventListener('pagehide', () => {
    state = null
    render()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reconnect()
  })
  void stayAwake()
  offerFullScreen()
}

async function keepReading(token: string): Promise<never> {
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    connection = new AbortController()
    freshness.ask(clock())
    const end = await readSign(
      token,
      (newest) => {
        retryMs = FIRST_RETRY_MS
        isRefused = false
        state = newest
        freshness.confirm(Date.parse(newest.asOf), clock())
        render()
      },
      connection,
    )
    if (end === 'refused') {
      isRefused = true
      state = null
      render()
    }
    await pause(end === 'refused' ? REFUSED_RETRY_MS : retryMs * (0.5 + Math.random()))
  }
}

let wakeUp = () => {}

/** Waits, or less long if the network is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    wakeUp = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

function reconnect(): void {
  connection?.abort()
  wakeUp()
}

/** Shows the state only while it is confirmed; never an old one as if it were true. */
function render(): void {
  const nowMs = clock()
  const silentMs = nowMs - freshness.confirmedAtMs()
  const isKnown = silentMs < STALE_AFTER_SECONDS * 1000
  if (isRefused) show('unknown', { words: texts.linkEnded(), times: texts.newLink() })
  else if (state && isKnown) show(state.state, signText(state, timeOf), state)
  else if (isKnown) show('connecting', { words: texts.connecting(), times: '' })
  else {
    const time = timeOf(new Date(Date.now() - silentMs).toISOString())
    show('unknown', { words: texts.noConnection(), times: texts.sinceTime({ time }) })
  }
}

function show(
  look: SignState['state'] | 'connecting',
  text: { words: string; times: string },
  shown?: SignState,
): void {
  root.dataset.state = look
  setText(words, text.words)
  setText(times, text.times)
  setText(person, shown?.name ?? '')
  showDots(shown?.dots ?? [])
  document.title = `${text.words} ${text.times}`.trim()
}

/** Writes only changes: a screen reader announces each. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

function showDots(shown: NonNullable<SignState['dots']>): void {
  const key = JSON.stringify(shown)
  if (dots.dataset.key === key) return
  dots.dataset.key = key
  root.toggleAttribute('data-circle', shown.length > 0)
  root.style.setProperty('--columns', String(Math.ceil(Math.sqrt(shown.length * 1.6))))
  dots.replaceChildren(
    ...shown.map(({ state, name }) => {
      const dot = document.createElement('li')
      dot.className = state
      dot.textContent = name ?? ''
      return dot
    }),
  )
}

/** In the locale of the browser: with FORMAT_LOCALE of language.ts, this page would load the first file of the app. */
function timeOf(instant: string): string {
  return new Date(instant).toLocaleTimeString([], { timeStyle: 'short' }).replaceAll(' ', '\u00a0')
}

function drift(): void {
  const minute = Math.floor(Date.now() / DRIFT_EVERY_MS)
  root.style.setProperty('--drift-x', `${(DRIFT * Math.sin(minute / 3)).toFixed(2)}vmin`)
  root.style.setProperty('--drift-y', `${(DRIFT * Math.sin(minute / 5)).toFixed(2)}vmin`)
}

/** Keeps the screen on while the page is visible. Browsers without wake locks, or with an empty battery, refuse. */
async function stayAwake(): Promise<void> {
  if (document.visibilityState !== 'visible') return
  await navigator.wakeLock?.request('screen').catch(() => undefined)
}

function offerFullScreen(): void {
  const button = part('full-screen')
  if (!document.fullscreenEnabled) return
  button.hidden = false
  button.addEventListener('click', () => void root.requestFullscreen().catch(() => undefined))
}
