import { APP_PATHS } from '@deeb/core/paths'
import { queryClient } from '../cache/query-client.ts'
import { noteNavigation, onUnsafe } from '../calls/unsafe-version.ts'
import { LANGUAGE } from '../device/language.ts'
import { store } from '../device/store.ts'
import { arePressesStored } from '../focus/use-switch-focus.ts'
import { signedInUserId } from '../session/auth-session.ts'
import { offered } from './new-version.ts'
import { reload } from './reload.ts'

const UPDATED_AT = `deeb.updated-at.${__APP_VERSION__}`
const AGAIN_AFTER_MS = 60 * 60_000
/** After that, the user may be filling in a form. */
const PAGE_TIMEOUT_MS = 2_000
/** The app's script in its page. The path changes with the language and the content. */
const ENTRY = /<script type="module"[^>]* src="(\/assets\/[\w/-]+\.js)"/

type Registration = ServiceWorkerRegistration | undefined

/**
 * Updates without asking when the server calls this version unsafe. Waits for a navigation, which leaves all forms, and until
 * every press of the switch is stored.
 */
export function updateWhenUnsafe(registration: Registration): void {
  onUnsafe((moment) => {
    if (moment === 'learned') check(registration)
    else void update(registration)
  })
  // Loading the page was a navigation too, and the user has not touched it since.
  if (navigator.userActivation?.hasBeenActive === false) noteNavigation()
}

function check(registration: Registration): void {
  registration?.update().catch(() => undefined)
}

async function update(registration: Registration): Promise<void> {
  // A sign-out or a mutation may be in flight.
  if (signedInUserId() === null || queryClient.isMutating() > 0 || !(await arePressesStored())) return
  const take = offered() ?? (!registration && (await isReplaced()) ? () => void reload() : null)
  if (!take) check(registration)
  else if (isFirstTry()) await take()
}

/** Limits reloads to one an hour: during a rolling restart the replacement may not be newer. */
function isFirstTry(): boolean {
  const last = Number(sessionStorage.getItem(UPDATED_AT))
  if (Date.now() - last < AGAIN_AFTER_MS) return false
  return store('sessionStorage', UPDATED_AT, `${Date.now()}`)
}

/** Without a service worker: whether the server can be reached and has another build of the app. */
async function isReplaced(): Promise<boolean> {
  try {
    const response = await fetch(`${APP_PATHS.signIn}?language=${LANGUAGE}`, {
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    })
    const [, served] = ENTRY.exec(await response.text()) ?? []
    return served !== undefined && document.querySelector(`script[src="${served}"]`) === null
  } catch {
    return false
  }
}
