/*
 * What script adds to every public page, in under a kilobyte: it counts clicks, and leads out of the native apps, where
 * these pages have no place. Paths are written out here, as the files that know them would come along. Toasts are fetched
 * when there is something to say, which is hardly ever.
 */
import type { Toast } from '../ui/toast-element.ts'
import { post } from './post.ts'

/** What Capacitor puts there before any script of ours, and the mark by which a browser is told to pass for native. */
type NativeMarks = { Capacitor?: { isNativePlatform?(): boolean }; CapacitorCustomPlatform?: object }

type Failure = Omit<Toast, 'tone'>

const UNSEEN = 'deeb-unseen-failure'

const { Capacitor, CapacitorCustomPlatform } = window as NativeMarks
if (CapacitorCustomPlatform || Capacitor?.isNativePlatform?.()) location.replace('/app')

let isLeaving = false
addEventListener('pagehide', () => {
  isLeaving = true
})
// Comes with the first look at a page, and when it is shown again by the back button.
addEventListener('pageshow', () => {
  isLeaving = false
  try {
    const unseen = sessionStorage.getItem(UNSEEN)
    sessionStorage.removeItem(UNSEEN)
    if (unseen) void show(JSON.parse(unseen))
  } catch {
    // A browser that blocks storage throws at its mere name, and has kept nothing.
  }
})

addEventListener('click', count)
// The middle button, which opens a new tab. It comes for the right one, too.
addEventListener('auxclick', count)

/** The click goes its way; what it is kept as goes beside it. */
function count({ button: pressed, target }: MouseEvent): void {
  const { page, button } = (target as Element).closest<HTMLElement>('[data-button]')?.dataset ?? {}
  if (!button || pressed > 1) return
  const userSession = Math.random().toString(36).slice(2)
  post('/api/clicks', { buttonName: button, page, userSession }).then(
    (message) => {
      if (message) fail({ title: 'Tracking Failed', description: `Could not save click data: ${message}` })
    },
    () => fail({ title: 'Tracking Exception' }),
  )
}

/** Says it on this page, or on the next one when this one is gone; nowhere when nothing can be kept till then. */
function fail(failure: Failure): void {
  if (!isLeaving) return void show(failure)
  try {
    sessionStorage.setItem(UNSEEN, JSON.stringify(failure))
  } catch {}
}

/** The page names the module: a plain import() would bring along Vite's preloader, which is larger than all of this. */
async function show(failure: Failure): Promise<void> {
  const { showToast }: typeof import('../ui/toast.ts') = await import(
    /* @vite-ignore */ document.body.dataset.toast ?? ''
  )
  showToast({ ...failure, tone: 'destructive' })
}
