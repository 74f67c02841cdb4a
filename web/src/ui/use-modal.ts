import './modal.css'
import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { watchKeyboard } from './keyboard-inset.ts'
import { focusHeading } from './ScreenHeading.tsx'
import { raiseToasts, topModal } from './toast.ts'

/** Until then a press beside a dialog may be the second one of a double click that opened it. */
const DOUBLE_CLICK_MS = 500

/**
 * Shows a `<dialog>` as modal while its component is mounted. The browser traps the focus in it and restores it afterwards.
 * Without `onDismiss`, or while `isBlocking`, its user cannot close it.
 */
export function useModal(
  ref: RefObject<HTMLDialogElement | null>,
  onDismiss: (() => void) | undefined,
  isBlocking = onDismiss === undefined,
): void {
  const mayClose = useEffectEvent(() => !isBlocking)
  const dismiss = useEffectEvent(() => onDismiss?.())

  // A layout effect: its cleanup runs before the element is removed, and only a dialog in the page restores the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return

    const show = () => {
      keepScrollbarRoom()
      dialog.showModal()
      // The focus may have scrolled to a button below the text.
      dialog.scrollTop = 0
      raiseToasts()
    }
    const closed = () => {
      // The event arrives late: the dialog may be open again.
      if (dialog.open) return
      if (!mayClose()) return show()
      raiseToasts()
      dismiss()
    }
    /* For browsers without `closedby`: the backdrop is part of the dialog as a target, but not of its box. */
    const pressedBeside = (event: MouseEvent) => {
      if (event.target === dialog && isOutside(dialog, event)) dialog.close()
    }
    const closesBeside = dialog.getAttribute('closedby') === 'any'
    if (closesBeside) dialog.setAttribute('closedby', 'closerequest')
    const sinceOpen = setTimeout(() => {
      if (!closesBeside) return
      dialog.setAttribute('closedby', 'any')
      if (!('closedBy' in HTMLDialogElement.prototype)) dialog.addEventListener('click', pressedBeside)
    }, DOUBLE_CLICK_MS)
    watchKeyboard()
    dialog.addEventListener('close', closed)
    /*
     * For browsers without `closedby`: a prevented `cancel` works only until the third Escape, a prevented key always. On the
     * document, since no element may have the focus. `closed` reopens a dialog that was closed anyway.
     */
    const blockEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !mayClose()) event.preventDefault()
    }
    document.addEventListener('keydown', blockEscape, true)
    /* Not in browsers without this API. Android's own Back closes a dialog without it. */
    const closeOnBack = (event: NavigateEvent) => {
      if (event.defaultPrevented || !mayClose() || topModal() !== dialog || !isBack(event)) return
      event.preventDefault()
      if (event.defaultPrevented) dialog.close()
    }
    window.navigation?.addEventListener('navigate', closeOnBack)
    show()
    return () => {
      clearTimeout(sinceOpen)
      if (closesBeside) dialog.setAttribute('closedby', 'any')
      dialog.removeEventListener('close', closed)
      dialog.removeEventListener('click', pressedBeside)
      document.removeEventListener('keydown', blockEscape, true)
      window.navigation?.removeEventListener('navigate', closeOnBack)
      dialog.close()
      raiseToasts()
      // The element that gets the focus may be removed too, for example with a deleted row.
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusHeading()
      })
    }
  }, [ref])
}

/** Whether the user goes back to an earlier screen. Code that goes back means it. */
function isBack({ navigationType, userInitiated, destination }: NavigateEvent): boolean {
  const here = window.navigation.currentEntry?.index ?? 0
  return navigationType === 'traverse' && userInitiated && destination.index < here
}

function isOutside(element: Element, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/** Stores the width of the scrollbar, so that the page does not move while it cannot scroll. */
function keepScrollbarRoom(): void {
  const root = document.documentElement
  if (!document.querySelector('dialog:modal')) {
    root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
  }
}
