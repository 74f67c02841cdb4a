import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { watchKeyboard } from './keyboard-inset.ts'
import { focusHeading } from './ScreenHeading.tsx'
import { raiseToasts } from './toast.ts'

/**
 * Shows a `<dialog>` as modal for as long as its component lives. The browser moves the focus in, keeps it there and
 * gives it back. With `onDismiss` the person can close it, unless it `stays` for now; without, nothing but the component's
 * end does.
 */
export function useModal(
  ref: RefObject<HTMLDialogElement | null>,
  onDismiss: (() => void) | undefined,
  stays = onDismiss === undefined,
): void {
  const mayClose = useEffectEvent(() => !stays)
  const dismiss = useEffectEvent(() => onDismiss?.())

  // In the layout phase: its cleanup runs before the element is removed, and only a dialog in the page gives focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return

    const show = () => {
      keepScrollbarRoom()
      dialog.showModal()
      raiseToasts()
    }
    const closed = () => {
      // Arrives late, by which time the dialog may stand again.
      if (dialog.open) return
      if (!mayClose()) return show()
      raiseToasts()
      dismiss()
    }
    watchKeyboard()
    dialog.addEventListener('close', closed)
    /*
     * For browsers that do not know `closedby`: there a refused `cancel` holds only until the third Escape, the refused key
     * for ever. On the document, since the focus may be on nothing. What still gets through is undone in `closed`.
     */
    const holdEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !mayClose()) event.preventDefault()
    }
    document.addEventListener('keydown', holdEscape, true)
    show()
    return () => {
      dialog.removeEventListener('close', closed)
      document.removeEventListener('keydown', holdEscape, true)
      dialog.close()
      raiseToasts()
      // What is given the focus back may be on its way out, too: with a row that was deleted, say.
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusHeading()
      })
    }
  }, [ref])
}

function keepScrollbarRoom(): void {
  const root = document.documentElement
  if (!document.querySelector('dialog:modal')) {
    root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
  }
}
