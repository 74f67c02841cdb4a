import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { beginStatusLink, readStatus } from '@deeb/core/status/api'
import type { ChatSystem } from '@deeb/core/status/systems'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../config/config.ts'
import { createReconciler, type Reconciler } from '../status/reconcile.ts'
import { createAdapters } from '../status/systems.ts'
import type { MadeUser } from './make.ts'
import { freshToken, type TestApp } from './test-app.ts'

/** A reconciler of a test app, which runs only when a test says so. Returns what it logged, too. */
export function reconcilerOf({ db, auth, clock }: TestApp): Reconciler & { warnings: string[] } {
  const warnings: string[] = []
  const reconciler = createReconciler({
    ...{ db, keys: auth.keys, mailer: auth.mailer, now: clock.now },
    bus: { subscribe: () => () => undefined },
    adapters: createAdapters(auth.config.chat, auth.config.webhookAllow),
    warn: ({ system, part, reason }) => warnings.push([system, part, reason].join(' ')),
    onError: (error) => {
      throw error
    },
  })
  return { ...reconciler, warnings }
}

/** Carries out all that is due now and allowed by the rate limits. */
export async function settle(reconciler: Reconciler): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await reconciler.runOnce()
}

/** Connects a chat system in a browser. `agree` opens the address at the system, and returns the redirect to deeb. */
export async function connect(
  testApp: TestApp,
  user: MadeUser,
  system: ChatSystem,
  agree: (url: string) => URL,
): Promise<string> {
  const { url, cookie } = await begin(testApp, user, system)
  return comeBack(testApp, agree(url), cookie)
}

export async function begin(testApp: TestApp, user: MadeUser, system: ChatSystem) {
  const authorization = `Bearer ${await freshToken(testApp.auth, user, testApp.clock.now())}`
  const request = {
    method: 'POST',
    url: beginStatusLink.path,
    payload: { system },
    headers: { authorization },
  } as const
  const answer = await testApp.app.inject(request)
  return { status: answer.statusCode, url: answer.json().url as string, cookie: String(answer.headers['set-cookie']) }
}

/** Returns from a chat system. The result is the fragment that Settings reads. */
export async function comeBack({ app }: TestApp, url: URL, cookie: string): Promise<string> {
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  const answer = await app.inject({ method: 'GET', url: url.pathname + url.search, headers })
  return new URL(String(answer.headers.location)).hash.slice(1)
}

/** Switches on, and returns the function that switches off. */
export async function switchOn(testApp: TestApp, user: MadeUser, targetMinutes?: number): Promise<() => Promise<void>> {
  const sessionId = uuidv7()
  const start = { sessionId, timeZone: 'Europe/Berlin', ...(targetMinutes && { targetMinutes }) }
  await testApp.call(startFocus, start, user)
  return async () => void (await testApp.call(stopFocus, { sessionId }, user))
}

/** The connection of a chat system, as Settings shows it. */
export async function linkOf(testApp: TestApp, user: MadeUser, system: ChatSystem) {
  const { systems } = (await testApp.call(readStatus, {}, user)).body
  return systems.find((one) => one.system === system)?.link ?? null
}

/** Points the config at stand-ins. */
export function chatAt(chat: Partial<Config['chat']>): (config: Config) => void {
  return (config) => void Object.assign(config.chat, chat)
}
