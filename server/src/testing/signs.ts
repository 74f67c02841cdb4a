import { createSign, readSign } from '@deeb/core/signs/api'
import { SIGN_LIVE_PATH } from '@deeb/core/signs/display'
import type { SignState } from '@deeb/core/signs/sign'
import { addressOf } from './live.ts'
import type { MadeUser } from './make.ts'
import type { TestApp } from './test-app.ts'
import { until } from './until.ts'

/** Creates a sign of the user, or of a circle that the user keeps. */
export async function makeSign(
  testApp: TestApp,
  user: MadeUser,
  shows: { showsName?: boolean; showsUntil?: boolean; circleId?: string } = {},
): Promise<{ id: string; token: string }> {
  const input = { label: 'Office', showsName: false, showsUntil: false, ...shows }
  const { status, body } = await testApp.call(createSign, input, user)
  if (status !== 200) throw new Error(`The sign was not created: ${JSON.stringify(body)}`)
  return body
}

/** Reads a sign as a display with this secret does. */
export async function fetchSign(testApp: TestApp, token: string, headers: Record<string, string> = {}, query = {}) {
  const { path: url } = readSign
  return testApp.app.inject({ method: 'GET', url, query, headers: { authorization: `Bearer ${token}`, ...headers } })
}

type SignEvent = { type: 'bye'; reason: string } | ({ type: 'state' } & SignState)

/** A display that reads the stream of a sign, over a real connection. */
export interface TestDisplay {
  status: number
  events: SignEvent[]
  hasEnded: boolean
  /** The newest state; undefined before the first. */
  state(): SignState['state'] | undefined
  until(isTrue: (display: TestDisplay) => boolean): Promise<void>
  leave(): void
}

export async function openDisplay(testApp: TestApp, token: string): Promise<TestDisplay> {
  const abort = new AbortController()
  const response = await fetch((await addressOf(testApp)) + SIGN_LIVE_PATH, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  })
  const events: SignEvent[] = []
  const display: TestDisplay = {
    ...{ status: response.status, events, hasEnded: false },
    state: () => events.findLast((event) => event.type === 'state')?.state,
    async until(isTrue) {
      await until(() => isTrue(display))
    },
    leave: () => abort.abort(),
  }
  void readInto(response, events)
    .catch(() => undefined)
    .finally(() => {
      display.hasEnded = true
    })
  if (display.status === 200) await display.until(({ events }) => events.length > 0)
  return display
}

async function readInto(response: Response, events: SignEvent[]): Promise<void> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) events.push(...JSON.parse(part.slice(6)))
  }
}
