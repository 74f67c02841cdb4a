let watching = false

/**
 * Keeps two lengths on :root: `--keyboard`, what the on-screen keyboard hides at the foot of the page, and `--view-top`,
 * how far the visible part was pushed down. A phone's keyboard covers fixed things without telling the style sheet.
 */
export function watchKeyboard(): void {
  const view = window.visualViewport
  if (watching || !view) return
  watching = true
  const measure = () => {
    const root = document.documentElement
    // Zoomed in by fingers, the visible part is small because the person wants it so: no keyboard.
    const zoomed = view.scale > 1.01
    const hidden = zoomed ? 0 : Math.max(0, root.clientHeight - view.height - view.offsetTop)
    root.style.setProperty('--keyboard', `${Math.round(hidden)}px`)
    root.style.setProperty('--view-top', `${zoomed ? 0 : Math.round(view.offsetTop)}px`)
  }
  view.addEventListener('resize', measure)
  view.addEventListener('scroll', measure)
  measure()
}
