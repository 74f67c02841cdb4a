import { store } from '../device/store.ts'

const KEY = 'deeb.sent-link'

/** The purpose of a link that we emailed. */
export type LinkPurpose = 'signup' | 'recovery'

/**
 * Remembers in this tab that a link was emailed, so that the page still says so after a reload. Where the browser blocks storage,
 * the page forgets it.
 */
export function rememberSentLink(purpose: LinkPurpose, email: string): void {
  store('sessionStorage', KEY, JSON.stringify({ purpose, email }))
}

/** The address to which this tab had a link of that purpose emailed; undefined if none is pending. */
export function sentLinkTo(purpose: LinkPurpose): string | undefined {
  try {
    const sent: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    const { purpose: known, email } = (sent ?? {}) as { purpose?: unknown; email?: unknown }
    return known === purpose && typeof email === 'string' ? email : undefined
  } catch {
    return undefined
  }
}

/** Call it when the link was used, or the address was wrong. */
export function forgetSentLink(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {}
}
