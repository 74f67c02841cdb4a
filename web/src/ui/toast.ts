import * as texts from '@deeb/texts/common'
import { storeToasts, takeKeptToasts } from './kept-toasts.ts'
import { watchKeyboard } from './keyboard-inset.ts'
import { glide, prefersReducedMotion } from './motion.ts'
import { makeToastElement, type Toast } from './toast-element.ts'

type Shown = {
  element: HTMLElement
  /** Its tone and texts as JSON. */
  key: string
  leftMs: number
  hasAction: boolean
  onGone: ReturnType<FailureListener>[]
}

/** Returns what to do when the toast disappears, if anything. */
type FailureListener = (failure: Toast) => (() => void) | undefined

const SHOWN_FOR_MS = 5000
const ACTION_SHOWN_FOR_MS = 8000
const STEP_MS = 100
const MAX_TOASTS = 3
const GUARD_MS = 400

/** The current toasts, oldest first, without those that are fading out. */
let shown: Shown[] = []
let countdown: number | undefined
let hasMouseMoved = false
/** The element that had the focus before a toast got it. */
let focusedBefore: HTMLElement | undefined

const failureListeners = new Set<FailureListener>()

const stack = typeof document === 'undefined' ? undefined : makeStack()

/**
 * Shows a toast for 5 seconds, not counting the time in which the pointer or the focus is on a toast. A duplicate replaces
 * the earlier one. At most three are shown; then the oldest is removed. A toast with an action is shown for 8 seconds, and a
 * failure with an action until it is dismissed.
 */
export function showToast(toast: Toast): void {
  if (!stack) return
  raiseToasts()
  const key = JSON.stringify({ tone: toast.tone, title: toast.title, description: toast.description })
  const same = shown.find((other) => other.key === key)
  if (same) removeShown(same)
  const removable = shown.filter(({ hasAction }) => !hasAction)
  for (const oldest of removable.slice(0, Math.max(0, shown.length + 1 - MAX_TOASTS))) dismiss(oldest)

  const element = makeToastElement(toast, ({ detail }) => {
    // 0 for a key.
    if (detail > 0) guardTaps(element)
    dismiss(entry)
  })
  const onGone = same?.onGone ?? []
  if (toast.tone === 'destructive' && !toast.isAtField)
    for (const listener of failureListeners) onGone.push(listener(toast))
  const entry: Shown = { element, key, leftMs: shownForMs(toast), hasAction: Boolean(toast.action), onGone }
  glide(elementsShown(), () => {
    same?.element.remove()
    stack[toast.tone === 'destructive' ? 'alerts' : 'status'].append(element)
  })
  shown.push(entry)
  countdown ??= window.setInterval(countDown, STEP_MS)
  if (!prefersReducedMotion()) {
    element.animate([{ opacity: 0, translate: '0 8px' }, {}], { duration: 200, easing: 'ease-out' })
  }
  if (toast.action?.autoFocus) element.querySelector('button')?.focus()
}

function shownForMs({ tone, action }: Toast): number {
  if (!action) return SHOWN_FOR_MS
  return tone === 'success' ? ACTION_SHOWN_FOR_MS : Number.POSITIVE_INFINITY
}

/** Shows a failure: what did not work and what to do. */
export function showFailure(description: string, title = texts.error()): void {
  showToast({ title, description, tone: 'destructive' })
}

/** Calls the listener for each failure toast, until the returned function is called. */
export function onFailure(listener: FailureListener): () => void {
  failureListeners.add(listener)
  return () => failureListeners.delete(listener)
}

/** Removes the toasts of failures, at the start of a retry. */
export function withdrawFailures(): void {
  for (const toast of shown.filter((toast) => toast.element.dataset.tone === 'destructive')) dismiss(toast)
}

/** The modal dialog that is above all others. */
export function topModal(): HTMLDialogElement | undefined {
  return [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1)
}

/**
 * Moves the toasts into the top modal dialog, or back to the page. Everything outside a modal dialog is inert, live regions too.
 * Call it after each opening and closing of a modal dialog.
 */
export function raiseToasts(): void {
  if (!stack) return
  const host = topModal() ?? document.body
  if (stack.box.parentElement !== host) host.append(stack.box)
  // Moving has hidden the popover; shown again, it is the top element. Without popovers (browsers before 2024) it is a fixed box.
  if ('popover' in HTMLElement.prototype && !stack.box.matches(':popover-open')) stack.box.showPopover()
}

/**
 * A success or a note is added to a live region that is in the page from the start: screen readers ignore one that is inserted together with its
 * text. A failure is an alert of its own: Orca in Firefox ignores text that is added to an alert.
 */
function makeStack() {
  const box = document.createElement('div')
  box.className = 'toasts'
  box.popover = 'manual'
  const [alerts, status] = [document.createElement('div'), makeStatus()]
  box.append(alerts, status)
  box.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !box.contains(relatedTarget)) focusedBefore = relatedTarget
  })
  box.addEventListener('pointermove', ({ pointerType }) => {
    if (pointerType === 'mouse') hasMouseMoved = true
  })
  return { box, alerts, status }
}

function makeStatus(): HTMLElement {
  const region = document.createElement('div')
  region.setAttribute('role', 'status')
  // By default, all its toasts would be read again with each new one.
  region.setAttribute('aria-atomic', 'false')
  return region
}

/** Polled, not a timer per toast: when a toast disappears under a resting pointer, no event restarts a timer. */
function countDown(): void {
  if (document.hidden || isHeld()) return
  for (const toast of shown) {
    toast.leftMs -= STEP_MS
    if (toast.leftMs <= 0) dismiss(toast)
  }
}

/**
 * Whether the countdown pauses: a toast has the focus, or a mouse has moved over the toasts. A mouse that rests where they
 * appear does not count, nor does the hover state that a tap leaves.
 */
function isHeld(): boolean {
  if (!stack?.box.matches(':hover')) hasMouseMoved = false
  return hasMouseMoved || Boolean(stack?.box.matches(':focus-within'))
}

function dismiss(toast: Shown): void {
  const hadFocus = toast.element.contains(document.activeElement)
  // The mouse that pressed a button of this toast rests on the next one.
  hasMouseMoved = false
  removeShown(toast)
  for (const act of toast.onGone) act?.()
  toast.element.inert = true
  if (hadFocus) {
    const next = [shown.at(-1)?.element.querySelector('button'), focusedBefore, document.querySelector('h1')]
    // The element may be gone, as the row of a deleted session.
    next.find((element) => element?.isConnected)?.focus()
  }

  const remove = () => glide(elementsShown(), () => toast.element.remove())
  if (prefersReducedMotion()) {
    remove()
    return
  }
  const fade = toast.element.animate({ opacity: 0 }, { duration: 150, easing: 'ease-out', fill: 'forwards' })
  fade.finished.then(remove, remove)
}

/** Takes taps where a pressed toast was, for a moment: the second one of a double tap must not reach what is below. */
function guardTaps(element: HTMLElement): void {
  const { left, top, width, height } = element.getBoundingClientRect()
  const guard = document.createElement('div')
  const place = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
  Object.assign(guard.style, { position: 'fixed', zIndex: '20', ...place })
  stack?.box.parentElement?.append(guard)
  setTimeout(() => guard.remove(), GUARD_MS)
}

/** Removes a toast from the list and stops the countdown with the last one. */
function removeShown(toast: Shown): void {
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
  for (const toast of takeKeptToasts()) showToast(toast)
  window.addEventListener('pagehide', () => storeToasts(shown.map(({ key }) => key)))
}
