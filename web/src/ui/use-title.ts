import { useEffect } from 'react'
import { countText } from './count-text.ts'

/** In the page from the start: screen readers ignore a live region that is inserted together with its text. */
const announcer = typeof document === 'undefined' ? undefined : makeAnnouncer()
let isFirst = true

/**
 * Sets the title of the browser tab, with the note or the count first: a tab shows only the beginning. Announces the title to
 * screen readers, except on the first screen, which browsers announce themselves.
 */
export function useTitle(title: string, note?: string, count = 0): void {
  useEffect(() => {
    document.title = (count > 0 ? `(${countText(count)}) ` : '') + [note, title, 'deeb'].filter(Boolean).join(' · ')
  }, [title, note, count])
  useEffect(() => {
    if (announcer && !isFirst) announcer.textContent = title
    isFirst = false
  }, [title])
}

function makeAnnouncer(): HTMLElement {
  const region = document.createElement('p')
  region.className = 'sr-only'
  region.ariaLive = 'polite'
  document.body.append(region)
  return region
}
