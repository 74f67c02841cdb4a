let watching = false

/**
 * Updates two lengths on :root: `--keyboard`, how much of the page the on-screen keyboard covers, and `--view-top`, how far the
 * visible part was moved down. CSS alone does not know that a keyboard covers fixed elements.
 */
export function watchKeyboard(): void {
  const view = window.visualViewport
  if (watching || !view) return
  watching = true
  const measure = () => {
    const root = document.documentElement
    // A pinch zoom also makes the visible part smaller: no keyboard.
    const zoomed = view.scale > 1.01
    const hidden = zoomed ? 0 : Math.max(0, root.clientHeight - view.height - view.offsetTop)
    root.style.setProperty('--keyboard', `${Math.round(hidden)}px`)
    root.style.setProperty('--view-top', `${zoomed ? 0 : Math.round(view.offsetTop)}px`)
  }
  view.addEventListener('resize', measure)
  view.addEventListener('scroll', measure)
  measure()
}
