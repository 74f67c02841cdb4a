import { isLanguage, LANGUAGE_COOKIE, LANGUAGE_QUERY, type Language } from '@deeb/core/languages'
import { LANGUAGE } from '../language.ts'
import { IS_NATIVE } from '../platform.ts'

const YEAR_SECONDS = 31_536_000

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
 * Shows the app in another language, in this browser: the page of that language replaces this one. Its files are not precached, so the
 * server has to be there.
 */
export async function showIn(language: Language): Promise<void> {
  remember(language)
  const { reload } = await import('../service-worker/reload.ts')
  // It would answer with the page of its own language.
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  await worker?.unregister()
  await reload()
}

/** Follows a link that names a language, such as one of the public pages, and removes it from the URL. */
export function followLink(): void {
  const url = new URL(location.href)
  const asked = url.searchParams.get(LANGUAGE_QUERY)
  if (!isLanguage(asked)) return
  url.searchParams.delete(LANGUAGE_QUERY)
  history.replaceState(history.state, '', url)
  if (asked === LANGUAGE) remember(asked)
  else void showIn(asked)
}
