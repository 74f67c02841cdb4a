import { watchKeyboard } from './keyboard-inset.ts'
import { glide, prefersReducedMotion } from './motion.ts'
import { makeToastElement, type Toast } from './toast-element.ts'

type Shown = { element: HTMLElement; key: string; leftMs: number }

const LIFE_MS = 5000
const STEP_MS = 100
const MAX_TOASTS = 3

/** Those that stay for now, the oldest first; the ones on their way out are no longer among them. */
let shown: Shown[] = []
let countdown: number | undefined
let hasMouseMoved = false
/** Where the focus was before it came to a toast. */
let cameFrom: HTMLElement | undefined

const stack = typeof document === 'undefined' ? undefined : makeStack()

/**
 * Shows a toast for 5 seconds, not counting those in which the pointer or the focus is on one. The same toast again
 * takes the place of the first; of more than three the oldest goes.
 */
export function showToast(toast: Toast): void {
  if (!stack) return
  raiseToasts()
  const key = JSON.stringify([toast.tone, toast.title, toast.description])
  const same = shown.find((other) => other.key === key)
  if (same) forget(same)
  for (const oldest of shown.slice(0, Math.max(0, shown.length + 1 - MAX_TOASTS))) leave(oldest)

  const element = makeToastElement(toast, () => leave(entry))
  const entry: Shown = { element, key, leftMs: LIFE_MS }
  glide(elementsShown(), () => {
    same?.element.remove()
    stack.regions[toast.tone].append(element)
  })
  shown.push(entry)
  countdown ??= window.setInterval(countDown, STEP_MS)
  if (!prefersReducedMotion()) {
    element.animate([{ opacity: 0, translate: '0 8px' }, {}], { duration: 200, easing: 'ease-out' })
  }
}

/** Says that something did not work, and what to do. */
export function showFailure(description: string, title = 'Error'): void {
  showToast({ title, description, tone: 'destructive' })
}

/** Takes failures away that a new try makes out of date. */
export function withdrawFailures(): void {
  for (const toast of shown.filter((toast) => toast.element.dataset.tone === 'destructive')) leave(toast)
}

/**
 * Puts the toasts above whatever is open. All that is outside a modal dialog is inert, live regions too: to be pressed
 * and read out under one, toasts must be inside it, and shown after it to lie above it. Whatever opens or closes a modal
 * dialog calls this.
 */
export function raiseToasts(): void {
  if (!stack) return
  const host = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
  if (stack.box.parentElement !== host) host.append(stack.box)
  // Moving has hidden it. Shown again, it is the newest thing in the top layer. Without popovers (browsers of before
  // 2024) it is a fixed box like any other.
  if ('popover' in HTMLElement.prototype && !stack.box.matches(':popover-open')) stack.box.showPopover()
}

/** The two live regions stand in the page from the start: a region that comes together with its text is not read out. */
function makeStack() {
  const box = document.createElement('div')
  box.className = 'toasts'
  box.popover = 'manual'
  const regions = { destructive: makeRegion('alert'), success: makeRegion('status') }
  box.append(regions.destructive, regions.success)
  box.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !box.contains(relatedTarget)) cameFrom = relatedTarget
  })
  box.addEventListener('pointermove', ({ pointerType }) => {
    if (pointerType === 'mouse') hasMouseMoved = true
  })
  return { box, regions }
}

function makeRegion(role: 'alert' | 'status'): HTMLElement {
  const region = document.createElement('div')
  region.setAttribute('role', role)
  // Both roles would read all their toasts again at each new one.
  region.setAttribute('aria-atomic', 'false')
  return region
}

/** Small steps, not a timer each: a pointer that rests where a toast was removed sends no event to start again by. */
function countDown(): void {
  if (document.hidden || isHeld()) return
  for (const toast of shown) {
    toast.leftMs -= STEP_MS
    if (toast.leftMs <= 0) leave(toast)
  }
}

/**
 * Held by the focus, or by a mouse that has moved over the toasts: one that merely rests where they came up, on the button
 * that was pressed, would hold them for ever. A finger leaves its hover behind where it tapped and does not count.
 */
function isHeld(): boolean {
  if (!stack?.box.matches(':hover')) hasMouseMoved = false
  return hasMouseMoved || Boolean(stack?.box.matches(':focus-within'))
}

function leave(toast: Shown): void {
  const hadFocus = toast.element.contains(document.activeElement)
  forget(toast)
  toast.element.inert = true
  if (hadFocus) (shown.at(-1)?.element.querySelector('button') ?? cameFrom)?.focus()

  const remove = () => glide(elementsShown(), () => toast.element.remove())
  if (prefersReducedMotion()) {
    remove()
    return
  }
  const fade = toast.element.animate({ opacity: 0 }, { duration: 150, easing: 'ease-out', fill: 'forwards' })
  fade.finished.then(remove, remove)
}

function forget(toast: Shown): void {
  shown = shown.filter((other) => other !== toast)
  if (shown.length > 0) return
  window.clearInterval(countdown)
  countdown = undefined
}

function elementsShown(): HTMLElement[] {
  return shown.map((toast) => toast.element)
}

if (stack) {
  watchKeyboard()
  raiseToasts()
}
