import type { AppPath } from '@deeb/core/paths'

/** As in the manifests of the native projects, and in what the server says of its links. */
const OPENED: readonly string[] = ['/app/confirm', '/app/reset-password'] satisfies AppPath[]

/** The app's path, with fragment, for a link that the system opened the app with; null unless it is a link of our server's emails. */
export function pathOf(link: string, server: string): string | null {
  try {
    const { origin, pathname, hash } = new URL(link)
    return origin === server && OPENED.includes(pathname) ? pathname + hash : null
  } catch {
    // Not a link at all.
    return null
  }
}
