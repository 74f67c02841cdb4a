import type { AppPath } from '@deeb/core/paths'

/** As in the manifests of the native projects, and in what the server says of its links. */
const OPENED: readonly string[] = ['/app/confirm', '/app/reset-password'] satisfies AppPath[]

/** Where a link that the system handed over leads to in the app: only those of our server's mails lead anywhere. */
export function placeOf(link: string, server: string): string | null {
  try {
    const { origin, pathname, hash } = new URL(link)
    return origin === server && OPENED.includes(pathname) ? pathname + hash : null
  } catch {
    // Not a link at all.
    return null
  }
}
