import type { Toast } from './toast-element.ts'

const KEY = 'deeb.toasts'

let isKept = false

/** Call it when the page reloads itself: its user did not ask for that, and may not have read the toasts. */
export function keepToastsOnReload(): void {
  isKept = true
}

/** Stores the current toasts, each as JSON, when the page is left, if they are to be kept. */
export function storeToasts(toasts: string[]): void {
  if (isKept) sessionStorage.setItem(KEY, `[${toasts}]`)
}

/** The toasts that `storeToasts` has stored, once. They have no actions: a function cannot be stored. */
export function takeKeptToasts(): Toast[] {
  try {
    const stored = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return JSON.parse(stored ?? '[]') as Toast[]
  } catch {
    // The browser may forbid storage.
    return []
  }
}
