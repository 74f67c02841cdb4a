import { setTimeout as delay } from 'node:timers/promises'
import { test as base, type TestAPI } from 'vitest'
import { type AuthApp, openAuthApp } from './auth-app.ts'
import { type CompanyApp, openCompanyApp } from './company-app.ts'
import { focusOf } from './focus.ts'
import { type MadeUser, makeUser } from './make.ts'
import { type PushService, startPushService } from './push-service.ts'
import { createTestClock, type Stores, startTestApp, type TestApp, type TestClock } from './test-app.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

/** As many users as asked for. */
type People<Count extends number, Made extends MadeUser[] = []> = Made['length'] extends Count
  ? Made
  : People<Count, [...Made, MadeUser]>

/** The fixtures of a test function, for functions outside of its tests. */
export type FixturesOf<Test> = Test extends TestAPI<infer Fixtures> ? Fixtures : never

/** The test function of the server. A fixture starts when a test first names it; those below close after the file. */
export const test = base
  /** Environment variables of the app of the file. */
  .extend('settings', { scope: 'file' }, {} as NodeJS.ProcessEnv)
  /** Parts of the app that no setting changes. */
  .extend('stores', { scope: 'file' }, {} as Stores)
  .extend('clock', { scope: 'file' }, (): TestClock => createTestClock())
  /** The whole app with this clock, on a new database. */
  .extend('app', { scope: 'file' }, async ({ settings, stores, clock }, { onCleanup }): Promise<TestApp> => {
    const app = await startTestApp(settings, undefined, { clock, ...stores })
    onCleanup(closing(app))
    return app
  })
  /** The auth service alone, on a new database. */
  .extend('authApp', { scope: 'file' }, async ({ settings }, { onCleanup }): Promise<AuthApp> => {
    const authApp = await openAuthApp(settings)
    onCleanup(closing(authApp))
    return authApp
  })
  /** The auth service with a company and its identity provider. */
  .extend('sso', { scope: 'file' }, async ({ settings }, { onCleanup }): Promise<CompanyApp> => {
    const sso = await openCompanyApp({ env: settings })
    onCleanup(closing(sso))
    return sso
  })
  /** Creates users who are signed in, one after the other. */
  .extend(
    'people',
    { scope: 'file' },
    ({ app }) =>
      async <Count extends number>(count: Count): Promise<People<Count>> => {
        const people: MadeUser[] = []
        while (people.length < count) people.push(await makeUser(app))
        return people as People<Count>
      },
  )
  /** Calls of one user about focus sessions. */
  .extend(
    'focusOf',
    { scope: 'file' },
    ({ app }) =>
      (user: MadeUser, timeZone?: string) =>
        focusOf(app, user, timeZone),
  )
  /** A push service on this machine, whose browsers subscribe to the app. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the needed fixtures from a pattern.
  .extend('pushService', { scope: 'file' }, async ({}, { onCleanup }): Promise<PushService> => {
    const pushService = await startPushService()
    onCleanup(closing(pushService))
    return pushService
  })
  /** A new receiver of webhooks for each test. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the needed fixtures from a pattern.
  .extend('receiver', async ({}, { onCleanup }): Promise<Receiver> => {
    const receiver = await startReceiver()
    onCleanup(closing(receiver))
    return receiver
  })
  /** Starts another app, with a clock of its own. It closes after the test. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the needed fixtures from a pattern.
  .extend('startApp', async ({}, { onCleanup }) =>
    closedAfter(onCleanup, (settings: NodeJS.ProcessEnv = {}, stores: Stores = {}) =>
      startTestApp(settings, undefined, stores),
    ),
  )
  /** The same for the auth service alone. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the needed fixtures from a pattern.
  .extend('startAuthApp', async ({}, { onCleanup }) => closedAfter(onCleanup, openAuthApp))

const CLOSE_TIMEOUT_MS = 60_000

/** Closes it, and throws when that takes more than a minute: Vitest has no timeout for a fixture, and would wait without an end. */
export function closing(opened: { close(): Promise<unknown> }): () => Promise<void> {
  return async () => {
    const timer = new AbortController()
    const late = delay(CLOSE_TIMEOUT_MS, null, { signal: timer.signal }).then(() => {
      throw new Error(`A fixture did not close within a minute. Open: ${process.getActiveResourcesInfo().join(', ')}`)
    })
    try {
      await Promise.race([opened.close(), late])
    } finally {
      timer.abort()
    }
  }
}

/** Makes a function that starts apps. `onCleanup` closes them all. */
function closedAfter<Args extends unknown[], App extends { close(): Promise<unknown> }>(
  onCleanup: (close: () => Promise<void>) => void,
  start: (...args: Args) => Promise<App>,
): (...args: Args) => Promise<App> {
  const apps: App[] = []
  onCleanup(async () => void (await Promise.all(apps.map((app) => closing(app)()))))
  return async (...args) => {
    const app = await start(...args)
    apps.push(app)
    return app
  }
}
