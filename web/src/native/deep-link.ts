import type { AppPath } from '@deeb/core/paths'

/** The paths of email links. The manifests of the native projects and the server's app-link files list the same. */
const LINK_PATHS: readonly string[] = ['/app/confirm', '/app/reset-password'] satisfies AppPath[]

/** The app's path, with fragment, of a link that opened the app. Null unless it is an email link of our server. */
export function pathOf(link: string, server: string): string | null {
  try {
    const { origin, pathname, hash } = new URL(link)
    return origin === server && LINK_PATHS.includes(pathname) ? pathname + hash : null
  } catch {
    // Not a URL.
    return null
  }
}
