import { test as base, type TestAPI } from 'vitest'
import { type AuthApp, openAuthApp } from './auth-app.ts'
import { type CompanyApp, openCompanyApp } from './company-app.ts'
import { focusOf } from './focus.ts'
import { type MadeUser, makeUser } from './make.ts'
import { type Stores, startTestApp, type TestApp } from './test-app.ts'

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
  /** The whole app with a fake clock, on a new database. */
  .extend('app', { scope: 'file' }, async ({ settings, stores }, { onCleanup }): Promise<TestApp> => {
    const app = await startTestApp(settings, undefined, stores)
    onCleanup(() => app.close())
    return app
  })
  .extend('clock', { scope: 'file' }, ({ app }) => app.clock)
  /** The auth service alone, on a new database. */
  .extend('authApp', { scope: 'file' }, async ({ settings }, { onCleanup }): Promise<AuthApp> => {
    const authApp = await openAuthApp(settings)
    onCleanup(() => authApp.close())
    return authApp
  })
  /** The auth service with a company and its identity provider. */
  .extend('sso', { scope: 'file' }, async ({ settings }, { onCleanup }): Promise<CompanyApp> => {
    const sso = await openCompanyApp({ env: settings })
    onCleanup(() => sso.close())
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
