import * as texts from '@deeb/texts/updates'
import './new-version.css'

/** Accepts the newest offered update. Null while none is shown. */
let onTake: (() => void) | null = null

/**
 * Offers an app update until its user accepts it. The page does not reload by itself, since its user may be typing. Only an
 * unsafe version is replaced without asking, at a navigation: urgent-update.ts.
 */
export function offerNewVersion(take: () => void): void {
  const isShown = onTake !== null
  onTake = take
  if (isShown) return
  const box = document.createElement('div')
  box.className = 'new-version'
  box.setAttribute('role', 'status')
  document.body.prepend(box)
  // Screen readers ignore a live region that is inserted together with its text.
  requestAnimationFrame(() => box.append(text(), button()))
}

/** Accepts the newest offered update without a tap. Null if there is none. */
export function offered(): (() => void) | null {
  return onTake
}

function text(): HTMLElement {
  const paragraph = document.createElement('p')
  paragraph.textContent = texts.ready()
  return paragraph
}

function button(): HTMLElement {
  const update = document.createElement('button')
  update.type = 'button'
  update.textContent = texts.update()
  update.addEventListener('click', () => {
    update.disabled = true
    onTake?.()
  })
  return update
}
