import { useEffect, useState } from 'react'
import { serverNow } from '../server-clock.ts'

const TICK_MS = 1000

/**
 * Now by the server's clock, renewed each second while `ticking`. Nothing counts the ticks: a page that slept shows the
 * right time at its first tick.
 */
export function useNow(ticking: boolean): Date {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!ticking) return
    const tick = () => setNow(serverNow())
    tick()
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [ticking])
  return ticking ? now : serverNow()
}
