import { useEffect } from 'react'

/** In the page from the start: a region that comes together with its text is not read out. */
const announcer = typeof document === 'undefined' ? undefined : makeAnnouncer()
let isFirst = true

/**
 * The browser tab's title while the screen is shown, with a note before it: a tab shows little more than its first words.
 * The title is said to screen readers, except of the first screen, which browsers announce themselves.
 */
export function useTitle(title: string, note?: string): void {
  useEffect(() => {
    document.title = [note, title, 'deeb'].filter(Boolean).join(' · ')
  }, [title, note])
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
