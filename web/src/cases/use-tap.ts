import type { TAP_PATH } from '@deeb/core/cases/case'
import { APP_PATHS } from '@deeb/core/paths'
import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { store } from '../device/store.ts'

export interface Tap {
  code: string
  /** Whether the system has opened the page, as the server saw. From anywhere else, or after a sign-in, the page asks first. */
  isBySystem: boolean
}

/** A literal, so that no other file is loaded for it. */
const PATH: typeof TAP_PATH = '/t'
const KEY = 'deeb.tapped-at'
const SAME_TAP_MS = 2000

/**
 * The tap that opened this page, until it is answered. Then the address is that of Home. Until then it keeps the code: a reload, or a
 * sign-in that turns out to be needed, asks.
 */
export function useTap(): { tap: Tap | null; answer: () => void } {
  const [tap, setTap] = useState<Tap | null>(null)
  const [path, navigate] = useLocation()
  const answer = useCallback(() => {
    setTap(null)
    navigate(APP_PATHS.home, { replace: true })
  }, [navigate])
  useEffect(() => {
    if (path !== PATH) return
    function read(): void {
      const code = window.location.hash.slice(1)
      if (code === '') return
      const isBySystem = takeMark()
      if (isRepeated()) answer()
      else setTap({ code, isBySystem })
    }
    read()
    // Another tap while the first one waits for its answer.
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [path, answer])
  return { tap, answer }
}

/**
 * The server's mark in the page, once: a later tap in the same page, as in a native app, has none. It counts for a page that was opened
 * in front of somebody: not for a reload, which a browser does by itself when the network is back, a restored tab or a way back.
 */
function takeMark(): boolean {
  const { dataset } = document.documentElement
  const isBySystem = dataset.opened === 'by-system'
  delete dataset.opened
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return isBySystem && opening?.type === 'navigate' && !document.hidden
}

/** Whether a tap in this browser was so short ago that this is the same one: a phone may read a tag twice. */
function isRepeated(): boolean {
  const now = Date.now()
  const isSame = Math.abs(now - Number(localStorage.getItem(KEY))) < SAME_TAP_MS
  if (!isSame) store('localStorage', KEY, String(now))
  return isSame
}
