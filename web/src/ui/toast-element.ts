import * as texts from '@deeb/texts/common'

export type Toast = {
  title: string
  description?: string | undefined
  /** `note`: something happened, and nothing failed. */
  tone: 'success' | 'note' | 'destructive'
  /** Shown at a field too, so a form need not repeat it. */
  isAtField?: boolean
  /** A button, such as `Undo`. A press of it removes the toast. */
  action?: { label: string; onPress: () => void; autoFocus?: boolean }
}

const CROSS = 'M5.25 5.25L14.75 14.75M14.75 5.25L5.25 14.75'

/** Builds a toast node by node: the page's policy (Trusted Types) forbids markup from strings. */
export function makeToastElement(toast: Toast, onDismiss: (press: MouseEvent) => void): HTMLElement {
  const element = document.createElement('div')
  element.className = 'toast'
  element.dataset.tone = toast.tone
  if (toast.tone === 'destructive') element.setAttribute('role', 'alert')
  element.append(icon(toast.tone), text('toast-title', toast.title))
  if (toast.description) element.append(text('toast-description', toast.description))
  if (toast.action) element.append(actionButton(toast.action, onDismiss))
  element.append(dismissButton(onDismiss))
  return element
}

function text(className: string, content: string): HTMLElement {
  const paragraph = document.createElement('p')
  paragraph.className = className
  paragraph.textContent = content
  return paragraph
}

function actionButton(
  { label, onPress }: NonNullable<Toast['action']>,
  onDismiss: (press: MouseEvent) => void,
): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'toast-action'
  button.textContent = label
  const press = (event: MouseEvent) => {
    onDismiss(event)
    onPress()
  }
  // Once: the toast fades out for a moment.
  button.addEventListener('click', press, { once: true })
  return button
}

function dismissButton(onDismiss: (press: MouseEvent) => void): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'toast-dismiss'
  button.setAttribute('aria-label', texts.dismiss())
  button.addEventListener('click', onDismiss)
  button.append(drawing(20, draw('path', { d: CROSS, stroke: 'currentColor', 'stroke-width': '1.75' })))
  return button
}

function icon(tone: Toast['tone']): SVGElement {
  const svg = drawing(22, ...(tone === 'success' ? checkOnDisc() : exclamationInCircle()))
  svg.setAttribute('class', 'toast-icon')
  return svg
}

function checkOnDisc(): SVGElement[] {
  return [
    draw('circle', { cx: '11', cy: '11', r: '11', fill: 'var(--green)' }),
    draw('path', { d: 'M6.75 11L9.75 14L15.25 8', stroke: 'var(--surface)', 'stroke-width': '2' }),
  ]
}

function exclamationInCircle(): SVGElement[] {
  return [
    draw('circle', { cx: '11', cy: '11', r: '8.375', stroke: 'currentColor', 'stroke-width': '1.75' }),
    draw('path', { d: 'M11 6.5V11.75', stroke: 'currentColor', 'stroke-width': '1.75' }),
    draw('circle', { cx: '11', cy: '15.25', r: '1.3', fill: 'currentColor' }),
  ]
}

function drawing(size: number, ...parts: SVGElement[]): SVGElement {
  const svg = draw('svg', {
    viewBox: `0 0 ${size} ${size}`,
    width: String(size),
    height: String(size),
    fill: 'none',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  })
  svg.append(...parts)
  return svg
}

function draw(name: 'svg' | 'circle' | 'path', attributes: Record<string, string>): SVGElement {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  return node
}
