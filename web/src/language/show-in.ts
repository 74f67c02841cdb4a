import { isLanguage, LANGUAGE_COOKIE, LANGUAGE_QUERY, type Language } from '@deeb/core/languages'
import { appPageUrl, workerPath } from '@deeb/core/paths'
import { LANGUAGE } from '../device/language.ts'
import { IS_NATIVE } from '../device/platform.ts'

const YEAR_SECONDS = 31_536_000
const PAGE_TIMEOUT_MS = 10_000

/** Remembers the language for the next page of this browser. A native app has no server for its pages: its page reads local storage. */
function remember(language: Language): void {
  if (IS_NATIVE) {
    localStorage.setItem(LANGUAGE_COOKIE, language)
    return
  }
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has the Cookie Store API.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`
}

/**
 * Shows the app in another language, in this browser: the page of that language replaces this one. Its files are not precached, so it
 * rejects without the server, and nothing has changed then.
 */
export async function showIn(language: Language): Promise<void> {
  const { reload } = await import('../service-worker/reload.ts')
  if (!IS_NATIVE) await expectPage(language)
  remember(language)
  await removeOtherWorker(language)
  await reload()
}

/** The service worker has only the page of its own language, so the server answers. */
async function expectPage(language: Language): Promise<void> {
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS)
  const page = await fetch(appPageUrl(language), { method: 'HEAD', cache: 'no-store', signal })
  if (!page.ok) throw new Error(`The page in ${language} answers ${page.status}.`)
}

/** It would answer with the page of its own language. Another tab may have replaced it already. */
async function removeOtherWorker(language: Language): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  const worker = registration?.installing ?? registration?.waiting ?? registration?.active
  if (worker && new URL(worker.scriptURL).pathname !== workerPath(language)) await registration?.unregister()
}

/** Follows a link that names a language, such as one of the public pages, and removes it from the URL. */
export function followLink(): void {
  const url = new URL(location.href)
  const asked = url.searchParams.get(LANGUAGE_QUERY)
  if (!isLanguage(asked)) return
  url.searchParams.delete(LANGUAGE_QUERY)
  history.replaceState(history.state, '', url)
  if (asked === LANGUAGE) remember(asked)
  // Offline the app stays as it is.
  else showIn(asked).catch(() => undefined)
}
