import { offerNewVersion } from './new-version.ts'
import { reload } from './reload.ts'
import { updateWhenUnsafe } from './urgent-update.ts'

const WORKER = '/app-worker.js'
const SCOPE = '/app'
const LOOK_EVERY_MS = 60 * 60_000

/** The part of Trusted Types that is used here; not every browser has it, and TypeScript does not know it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * Lets the browser keep the app for the next visit, which then needs no network, and offers a new version of it once that
 * is here as a whole. The public pages lie outside of its scope.
 */
export async function registerWorker(): Promise<void> {
  const registration = await register()
  if (registration) {
    watch(registration)
    lookForNewOnes(registration)
  }
  updateWhenUnsafe(registration)
}

/** A page that is not served safely is refused, and a private window may be: then the app is fetched as ever. */
async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  await navigator.serviceWorker.register(trusted(WORKER), { scope: SCOPE }).catch(() => undefined)
  return navigator.serviceWorker.getRegistration(SCOPE)
}

/** The tab of the first visit is run by no worker, but has old files all the same once there is a second one. */
function watch(registration: ServiceWorkerRegistration): void {
  const { waiting, active } = registration
  if (waiting && active) offerNewVersion(() => take(waiting))
  const follow = () => {
    const coming = registration.installing
    // Nothing is replaced by the first.
    if (registration.active === null) return
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'installed') offerNewVersion(() => take(coming))
    })
  }
  // The browser may have found one before this page's script ran.
  follow()
  registration.addEventListener('updatefound', follow)
  // Taken in another tab. This one's files are gone, all but those it runs on.
  const controller = navigator.serviceWorker.controller
  if (!controller) return
  navigator.serviceWorker.addEventListener('controllerchange', () => offerNewVersion(() => void reload()))
}

/** Its files replace those of the running one, and this page is loaded anew from them. */
function take(waiting: ServiceWorker): void {
  // Another tab may be quicker, or a still newer one replace it.
  const reloadOnceDone = () => {
    if (waiting.state === 'activated' || waiting.state === 'redundant') void reload()
  }
  waiting.addEventListener('statechange', reloadOnceDone)
  waiting.postMessage({ type: 'SKIP_WAITING' })
  reloadOnceDone()
}

/** The browser looks on each navigation, but the app may stand open for weeks without one. */
function lookForNewOnes(registration: ServiceWorkerRegistration): void {
  let lookedAt = Date.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < LOOK_EVERY_MS) return
    lookedAt = Date.now()
    registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', look)
  setInterval(look, LOOK_EVERY_MS)
}

/** The page's policy lets a worker run from this one address and no other. */
function trusted(url: typeof WORKER): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy('deeb-worker', { createScriptURL: () => WORKER }).createScriptURL(url) ?? url
}
