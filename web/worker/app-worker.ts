/*
 * The app's service worker. It keeps the app's page and all that it is made of, as one build made them, and answers with
 * these, network or not. What the server says of a person (/api, /auth) does not go through it, nor do the public pages:
 * its scope is /app.
 */
import { APP_PATHS } from '@deeb/core/paths'
import { NavigationRoute, type PrecacheEntry, Serwist } from 'serwist'

declare const self: ServiceWorkerGlobalScope

/** Put in by the build: the page of the app, its scripts, styles, fonts and icon. */
declare const __APP_FILES__: PrecacheEntry[]

const PAGES = new Set<string>(Object.values(APP_PATHS))

const worker = new Serwist({
  precacheEntries: __APP_FILES__,
  // `/app` is one of the kept files, but only as the answer to a navigation, which is decided below.
  precacheOptions: { cleanURLs: false, directoryIndex: null },
  // A new version waits until the person takes it (new-version.ts): the one that runs keeps its files until then.
  skipWaiting: false,
  clientsClaim: false,
  disableDevLogs: true,
})

/** The page of the app for the paths of the app, as the server would answer; for others, under /app too, ask the server. */
const appPage = worker.createHandlerBoundToUrl(APP_PATHS.signIn)
worker.registerRoute(
  new NavigationRoute(appPage, { allowlist: [...PAGES].map((path) => new RegExp(`^${path}(\\?.*)?$`)) }),
)

worker.addEventListeners()
