import './new-version.css'

/** What a tap on the newest offer does; null while none is shown. */
let onTake: (() => void) | null = null

/**
 * Says that there is a new version, until it is taken by a tap. Nothing reloads by itself, since somebody may be typing; only
 * an unsafe version does, at a navigation: urgent-update.ts.
 */
export function offerNewVersion(take: () => void): void {
  const isShown = onTake !== null
  onTake = take
  if (isShown) return
  const box = document.createElement('div')
  box.className = 'new-version'
  box.setAttribute('role', 'status')
  document.body.prepend(box)
  // A live region that comes together with its text is not read out.
  requestAnimationFrame(() => box.append(text(), button()))
}

/** The newest offer, to be taken without a tap. */
export function offered(): (() => void) | null {
  return onTake
}

function text(): HTMLElement {
  const paragraph = document.createElement('p')
  paragraph.textContent = 'A new version of deeb is ready.'
  return paragraph
}

function button(): HTMLElement {
  const update = document.createElement('button')
  update.type = 'button'
  update.textContent = 'Update'
  update.addEventListener('click', () => {
    update.disabled = true
    onTake?.()
  })
  return update
}
