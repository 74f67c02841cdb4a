import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { refetchAfterChange } from '../calls/refetch.ts'
import { hasClockMoved, serverNow } from '../calls/server-clock.ts'
import { FOCUS_QUERIES } from './focus-cache.ts'

const TICK_MS = 1000

interface NowOptions {
  /** Returns the part of a moment that the screen shows: it is rendered again only when this changes. By default every second. */
  stepOf?: (now: Date) => string | number
  /** Also while the page is hidden. */
  inBackground?: boolean
}

/**
 * The server-corrected now, up to date while `ticking`. Ticks are not counted, so a page that was suspended is right after its
 * first tick. If the device's clock is changed, a refetch measures the offset again.
 */
export function useNow(ticking: boolean, { stepOf = wholeSeconds, inBackground = false }: NowOptions = {}): Date {
  const queryClient = useQueryClient()
  const [, setStep] = useState<string | number>()
  const tick = useEffectEvent(() => {
    if (hasClockMoved()) refetchAfterChange(queryClient, FOCUS_QUERIES)
    setStep(stepOf(serverNow()))
  })
  useEffect(() => {
    if (!ticking) return
    let timer: ReturnType<typeof setInterval>
    const follow = () => {
      clearInterval(timer)
      if (document.hidden && !inBackground) return
      tick()
      timer = setInterval(tick, TICK_MS)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [ticking, inBackground])
  return serverNow()
}

function wholeSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000)
}
