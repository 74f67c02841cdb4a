import { useEffect, useLayoutEffect } from 'react'
import { store } from './store.ts'

/** `focus` turns the whole page black. Undefined until deeb mode is known: the page keeps the look that it has. */
export type Look = 'light' | 'focus' | undefined

/** In local storage: `focus` while deeb mode is on. The script in app.html reads it before the first paint. */
const STORAGE_KEY = 'deeb.look'
const THEME_COLORS = { light: '#f7f6f2', focus: '#000000' }

/** Gives the page and the browser's own bars this look, and the light one on unmount. */
export function useLook(look: Look): void {
  useLayoutEffect(() => {
    if (look) show(look)
  }, [look])
  useLayoutEffect(() => () => show('light'), [])
}

/** Gives a screen without the switch the light look, also if the page began in focus mode. */
export function useLightLook(): void {
  useLayoutEffect(() => show('light'), [])
}

/** Remembers deeb mode for the first paint of the next visit. */
export function useRememberedLook(isOn: boolean | undefined): void {
  useEffect(() => {
    if (isOn) store('localStorage', STORAGE_KEY, 'focus')
    else if (isOn === false) localStorage.removeItem(STORAGE_KEY)
  }, [isOn])
}

/** Forgets it when its user signs out. */
export function forgetLook(): void {
  localStorage.removeItem(STORAGE_KEY)
}

function show(look: 'light' | 'focus'): void {
  if (look === 'focus') document.documentElement.dataset.focus = 'on'
  else delete document.documentElement.dataset.focus
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', THEME_COLORS[look])
}
