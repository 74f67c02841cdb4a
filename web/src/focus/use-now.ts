import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refetchAfterChange } from '../refetch.ts'
import { hasClockMoved, serverNow } from '../server-clock.ts'
import { FOCUS_QUERIES } from './focus-cache.ts'

const TICK_MS = 1000

/**
 * The server-corrected now, updated every second while `ticking`. Ticks are not counted, so a page that was suspended is right
 * after its first tick. If the device's clock is changed, a refetch measures the offset again.
 */
export function useNow(ticking: boolean): Date {
  const queryClient = useQueryClient()
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!ticking) return
    const tick = () => {
      if (hasClockMoved()) refetchAfterChange(queryClient, FOCUS_QUERIES)
      setNow(serverNow())
    }
    tick()
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [ticking, queryClient])
  return ticking ? now : serverNow()
}
