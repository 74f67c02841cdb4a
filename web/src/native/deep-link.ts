import type { TAP_PATH } from '@deeb/core/cases/case'
import type { AppPath } from '@deeb/core/paths'

/** The paths of links. The manifests of the native projects and the server's app-link files list the same. */
const LINK_PATHS: readonly string[] = [
  '/app/confirm',
  '/app/reset-password',
  '/app/sso',
  '/app/circle',
  '/app/invite',
  '/t',
] satisfies (AppPath | typeof TAP_PATH)[]

/**
 * The app's path, with fragment, of a link that opened the app: of an email, or the way back from the sign-in page of a company, which
 * also comes by the app's own URL scheme, as `app.deeb.focus://sso#code=...`. Null for any other link.
 */
export function pathOf(link: string, server: string): string | null {
  try {
    const { protocol, hostname, origin, pathname, hash } = new URL(link)
    if (!protocol.startsWith('http') && hostname === 'sso' && pathname === '') return `/app/sso${hash}`
    return origin === server && LINK_PATHS.includes(pathname) ? pathname + hash : null
  } catch {
    // Not a URL.
    return null
  }
}
