/*
 * The script of every public page, under one kilobyte: counts clicks, prints, and redirects native apps to the app. Paths are literals
 * here, since an import of their module would be bundled. Toasts are imported lazily, only for a failure.
 */
import * as texts from '@deeb/texts/siteScript'
import type { Toast } from '../ui/toast-element.ts'
import { post } from './post.ts'

/** Globals that Capacitor sets before any of our scripts. `CapacitorCustomPlatform` makes a browser simulate a native app. */
type NativeMarks = { Capacitor?: { isNativePlatform?(): boolean }; CapacitorCustomPlatform?: object }

type Failure = Omit<Toast, 'tone'>

const PENDING_FAILURE = 'deeb-unseen-failure'

const { Capacitor, CapacitorCustomPlatform } = window as NativeMarks
if (CapacitorCustomPlatform || Capacitor?.isNativePlatform?.()) location.replace('/app')

// The info sheet is the printed page.
if (location.search === '?print') addEventListener('load', print)

let isLeaving = false
addEventListener('pagehide', () => {
  isLeaving = true
})
// Fires on load, and when the back button restores the page from the bfcache.
addEventListener('pageshow', () => {
  isLeaving = false
  try {
    const pending = sessionStorage.getItem(PENDING_FAILURE)
    sessionStorage.removeItem(PENDING_FAILURE)
    if (pending) void show(JSON.parse(pending))
  } catch {
    // A browser that blocks storage throws on access, and has stored nothing.
  }
})

addEventListener('click', count)
// The middle button, which opens a new tab. Also fires for the right button.
addEventListener('auxclick', count)

/** Counts a click on a button of the page, without delaying its navigation. */
function count({ button: pressed, target }: MouseEvent): void {
  const { page, button } = (target as Element).closest<HTMLElement>('[data-button]')?.dataset ?? {}
  if (!button || pressed > 1) return
  const userSession = Math.random().toString(36).slice(2)
  post('/api/clicks', { buttonName: button, page, userSession }).then(
    (message) => {
      if (message) fail({ title: texts.clickFailed(), description: texts.clickNotSaved({ message }) })
    },
    // A content blocker is no different from a broken network here. The description says that it does not matter.
    () => fail({ title: texts.clickException(), description: texts.clickNotCounted() }),
  )
}

/** Shows a failure on this page, or on the next one if this page is being left and storage is allowed. */
function fail(failure: Failure): void {
  if (!isLeaving) return void show(failure)
  try {
    sessionStorage.setItem(PENDING_FAILURE, JSON.stringify(failure))
  } catch {}
}

/** Imports the module by the URL in the page: a literal import() would add Vite's preloader, which is larger than this file. */
async function show(failure: Failure): Promise<void> {
  const { showToast }: typeof import('../ui/toast.ts') = await import(
    /* @vite-ignore */ document.body.dataset.toast ?? ''
  )
  showToast({ ...failure, tone: 'destructive' })
}
