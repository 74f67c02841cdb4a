import { readHome } from '@deeb/core/home/api'
import type { QueryClient } from '@tanstack/react-query'
import { currentTimeZone } from './local-time.ts'
import type { Home } from './stats/stats-queries.ts'

/**
 * Shows the number of requests that wait for the user on the icon of the installed app, but not in deeb mode. Returns the function to
 * stop, which removes it.
 */
export function keepAppBadge(queryClient: QueryClient): () => void {
  let shown: number | undefined
  function show(count: number): void {
    if (count === shown) return
    shown = count
    // Rejects where the user has not allowed it. 0 removes the badge.
    navigator.setAppBadge?.(count).catch(() => undefined)
  }
  function update(): void {
    const home = queryClient.getQueryData<Home>([readHome.path, currentTimeZone()])
    if (home) show(home.openSession ? 0 : (home.requests ?? 0))
  }
  update()
  const stopListening = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') update()
  })
  return () => {
    stopListening()
    show(0)
  }
}
