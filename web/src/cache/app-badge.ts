import { readHome } from '@deeb/core/home/api'
import type { QueryClient } from '@tanstack/react-query'
import { currentTimeZone } from '../device/local-time.ts'
import type { Home } from '../focus/day-queries.ts'
import { withOverlay } from '../focus/focus-cache.ts'
import { onQueueChange, pendingOf } from '../focus/queue/switch-queue.ts'

/** A dot without a number. */
const DOT = 'dot'

/**
 * Shows on the icon of the installed app: in deeb mode a dot, otherwise the number of requests that wait for the user. A number would
 * ask for attention that deeb mode keeps away. Returns the function to stop, which removes it.
 */
export function keepAppBadge(queryClient: QueryClient, userId: string): () => void {
  let shown: number | typeof DOT | undefined
  function show(badge: number | typeof DOT): void {
    if (badge === shown) return
    shown = badge
    // Rejects where the user has not allowed it. 0 removes the badge.
    const done = badge === DOT ? navigator.setAppBadge?.() : navigator.setAppBadge?.(badge)
    done?.catch(() => undefined)
  }
  function update(): void {
    const home = queryClient.getQueryData<Home>([readHome.path, currentTimeZone()])
    if (!home) return
    // As the screens show it: offline, a press may be pending for hours.
    const { openSession, requests = 0 } = withOverlay(queryClient, home, pendingOf(userId))
    show(openSession ? badgeOfDeebMode() : requests)
  }
  /** Another window of the app may have removed the badge when it closed. */
  function showAgain(): void {
    shown = undefined
    update()
  }
  /** Not after a load: the first answer may have set the badge before. */
  function onPageShow({ persisted }: PageTransitionEvent): void {
    if (persisted) showAgain()
  }
  /** Nobody would remove the dot when the session ends. */
  function removeDot(): void {
    if (shown === DOT) show(0)
  }
  update()
  const stopListening = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') update()
  })
  const stopFollowing = onQueueChange(update)
  window.addEventListener('pagehide', removeDot)
  window.addEventListener('pageshow', onPageShow)
  document.addEventListener('visibilitychange', showAgain)
  return () => {
    stopListening()
    stopFollowing()
    window.removeEventListener('pagehide', removeDot)
    window.removeEventListener('pageshow', onPageShow)
    document.removeEventListener('visibilitychange', showAgain)
    show(0)
  }
}

/** No dot on phones: they suspend a hidden app, which could not remove the dot when the session ends on another device. */
function badgeOfDeebMode(): number | typeof DOT {
  return window.matchMedia('(hover: none)').matches ? 0 : DOT
}
