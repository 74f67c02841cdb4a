/** `prefers-reduced-motion`, for animations by script. The style sheets have their own media queries. */
export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Runs a change of the page, then animates the elements that it moves up or down to their new positions in 200 ms. */
export function glide(elements: readonly HTMLElement[], change: () => void): void {
  const before = elements.map(topOf)
  change()
  if (prefersReducedMotion()) return
  for (const [index, element] of elements.entries()) {
    const moved = (before[index] ?? 0) - topOf(element)
    if (moved !== 0) element.animate([{ translate: `0 ${moved}px` }, {}], { duration: 200, easing: 'ease-out' })
  }
}

function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top
}
