/** `prefers-reduced-motion`, for animations by script. The style sheets have their own media queries. */
export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Makes a change to the page and lets the elements it pushes up or down glide to their new places in 200 ms. */
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
