import type { Toast } from './toast-element.ts'

/** Loads the code of toasts. Call it after the first paint: offline it is too late. */
export function loadToasts() {
  return import('./toast.ts')
}

/** Shows a toast from a module of the first paint, which does not wait for the code of toasts. */
export function showLateToast(toast: Toast): void {
  loadToasts()
    .then(({ showToast }) => showToast(toast))
    .catch(() => undefined)
}
