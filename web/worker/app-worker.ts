/*
 * The app's service worker. It precaches all files of one build of the app and serves them cache-first, also in offline mode.
 * It also shows push messages (push-messages.ts). Calls of the server (/api, /auth) and the public pages bypass it: its scope is /app.
 */
import { APP_PAGES } from '@deeb/core/app-pages'
import { appPageUrl } from '@deeb/core/paths'
import { NavigationRoute, type PrecacheEntry, Serwist } from 'serwist'
import { listenToPush } from './push-messages.ts'

declare const self: ServiceWorkerGlobalScope

/** Defined by the build: the page of the app, its scripts, styles, fonts and icon. */
declare const __APP_FILES__: PrecacheEntry[]

const worker = new Serwist({
  precacheEntries: __APP_FILES__,
  // The app's page is in the precache, but it answers only navigations to known paths, by the route below.
  precacheOptions: { cleanURLs: false, directoryIndex: null },
  // An app update waits until its user accepts it (new-version.ts). Until then the running version keeps its files.
  skipWaiting: false,
  clientsClaim: false,
  disableDevLogs: true,
})

/** Answers navigations to the app's paths with the app's page. Other paths under /app go to the server. */
const appPage = worker.createHandlerBoundToUrl(appPageUrl(__LANGUAGE__))
worker.registerRoute(
  new NavigationRoute(appPage, { allowlist: APP_PAGES.map((path) => new RegExp(`^${path}(\\?.*)?$`)) }),
)

worker.addEventListeners()
listenToPush()
