import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { askAgain } from '../ask-again.ts'
import { hasClockMoved, serverNow } from '../server-clock.ts'
import { FOCUS_READS } from './focus-reads.ts'

const TICK_MS = 1000

/**
 * Now by the server's clock, renewed each second while `ticking`. Nothing counts the ticks: a page that slept shows the
 * right time at its first tick. A clock that is set meanwhile is held against the server's anew.
 */
export function useNow(ticking: boolean): Date {
  const queries = useQueryClient()
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!ticking) return
    const tick = () => {
      if (hasClockMoved()) askAgain(queries, FOCUS_READS)
      setNow(serverNow())
    }
    tick()
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [ticking, queries])
  return ticking ? now : serverNow()
}
