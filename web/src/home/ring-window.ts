import { useSyncExternalStore } from 'react'

/** Document Picture-in-Picture: a small window that stays on top of those of all programs. */
interface PictureInPicture {
  requestWindow(size: { width: number; height: number }): Promise<Window>
}

declare global {
  interface Window {
    documentPictureInPicture?: PictureInPicture
  }
}

const SIZE = { width: 240, height: 272 }

/** The open window. It closes with the page. */
let ringWindow: Window | null = null
const listeners = new Set<() => void>()

/** The window on top of all others that shows the ring; null while there is none. */
export function useRingWindow(): Window | null {
  return useSyncExternalStore(listen, () => ringWindow)
}

/** Whether the browser has such windows. */
export function canKeepOnTop(): boolean {
  return window.documentPictureInPicture !== undefined
}

/** Opens the window, with the styles of the page. Must be called by a press. Rejects if the browser does not allow it. */
export async function openRingWindow(): Promise<void> {
  const opened = await window.documentPictureInPicture?.requestWindow(SIZE)
  if (!opened) return
  const { documentElement, head } = opened.document
  documentElement.lang = document.documentElement.lang
  documentElement.dataset.focus = 'on'
  for (const style of document.querySelectorAll('link[rel=stylesheet], style')) head.append(style.cloneNode(true))
  opened.addEventListener('pagehide', () => {
    if (ringWindow === opened) show(null)
  })
  show(opened)
}

function show(next: Window | null): void {
  ringWindow = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    // When the user signs out. In development React runs a cleanup once more, and listens again immediately.
    queueMicrotask(() => {
      if (listeners.size === 0) ringWindow?.close()
    })
  }
}
