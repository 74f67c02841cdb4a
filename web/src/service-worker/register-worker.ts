import { workerPath } from '@deeb/core/paths'
import { LANGUAGE } from '../device/language.ts'
import { offerNewVersion } from './new-version.ts'
import { reload } from './reload.ts'
import { updateWhenUnsafe } from './urgent-update.ts'

const WORKER = workerPath(LANGUAGE)
const SCOPE = '/app'
const CHECK_EVERY_MS = 60 * 60_000

/** The part of Trusted Types that is used here. Not every browser has it, and TypeScript has no types for it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * Registers the service worker, which precaches the app for offline use, and offers app updates once they are precached. Its
 * scope does not include the public pages.
 */
export async function registerWorker(): Promise<void> {
  const registration = await register()
  if (registration) {
    watch(registration)
    checkForUpdates(registration)
  }
  updateWhenUnsafe(registration)
}

/** Undefined in insecure contexts and some private windows: then the app works without a service worker. */
async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  await navigator.serviceWorker.register(trusted(WORKER), { scope: SCOPE }).catch(() => undefined)
  return navigator.serviceWorker.getRegistration(SCOPE)
}

/** Offers an update that is waiting, installing or found later. */
function watch(registration: ServiceWorkerRegistration): void {
  const { waiting, active } = registration
  if (waiting && active) offerNewVersion(() => take(waiting))
  const follow = () => {
    const installing = registration.installing
    // The first version replaces nothing, so it is no update.
    if (registration.active === null) return
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') offerNewVersion(() => take(installing))
    })
  }
  // The browser may have found an update before this page's script ran.
  follow()
  registration.addEventListener('updatefound', follow)
  // Another tab accepted the update. The precached files of this version are gone.
  const controller = navigator.serviceWorker.controller
  if (!controller) return
  navigator.serviceWorker.addEventListener('controllerchange', () => offerNewVersion(() => void reload()))
}

/** Activates the new version and reloads this page from its precache. */
function take(waiting: ServiceWorker): void {
  // Another tab may have activated it first, or a newer version may replace it.
  const reloadOnceDone = () => {
    if (waiting.state === 'activated' || waiting.state === 'redundant') void reload()
  }
  waiting.addEventListener('statechange', reloadOnceDone)
  waiting.postMessage({ type: 'SKIP_WAITING' })
  reloadOnceDone()
}

/** Checks for updates hourly. The browser checks at navigations only, and the app may stay open for weeks. */
function checkForUpdates(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now()
  const check = () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_EVERY_MS) return
    checkedAt = Date.now()
    registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', check)
  setInterval(check, CHECK_EVERY_MS)
}

/** The worker's URL as a TrustedScriptURL: the page's policy allows only this URL. */
function trusted(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy('deeb-worker', { createScriptURL: () => WORKER }).createScriptURL(url) ?? url
}
