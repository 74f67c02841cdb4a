import { shownName } from '@deeb/core/account/display-name'
import { readAlerts, setAlert } from '@deeb/core/alerts/api'
import * as texts from '@deeb/texts/team'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { api } from '../calls/api.ts'
import { serverNow } from '../calls/server-clock.ts'
import { lazyPart } from '../device/lazy-part.tsx'
import { timeOrDayText } from '../device/local-date.ts'
import { ALERTS_KEY } from '../focus/focus-cache.ts'
import { renewPush } from '../push/push.ts'
import { showToast } from '../ui/toast.ts'
import { useAlerts } from './alerts-queries.ts'
import { teamQuery } from './team-queries.ts'
import { isWallDisplay } from './wall-display-path.ts'

const KnockAnswers = lazyPart(() => import('./KnockAnswers.tsx'))

/**
 * Tells on every screen when a colleague is free for whom the user waits, and how one has answered a knock, and opens what a notification
 * is about.
 */
export function Alerts({ userId }: { userId: string }) {
  const queryClient = useQueryClient()
  const { data } = useAlerts()
  const isDue = data?.alerts.some(({ freeSince }) => freeSince !== null) ?? false
  useEffect(() => {
    if (!isDue) return
    const tell = () => {
      // A hidden tab would tell nobody, and a screen in a room everybody.
      if (document.visibilityState === 'visible' && !isWallDisplay(location.search))
        tellWhoIsFree(queryClient, userId).catch(() => undefined)
    }
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [queryClient, userId, isDue])
  useEffect(() => {
    renewPush(userId).catch(() => undefined)
  }, [userId])
  useOpenedByNotification()
  return data?.knocks?.sent.some(({ answer }) => answer !== null) ? <KnockAnswers /> : null
}

/** Follows the message of the service worker after the press of a notification. */
function useOpenedByNotification(): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    const workers = navigator.serviceWorker
    if (!workers) return
    const follow = ({ data }: MessageEvent) => {
      if (data?.type === 'open' && typeof data.path === 'string') navigate(data.path)
    }
    workers.addEventListener('message', follow)
    return () => workers.removeEventListener('message', follow)
  }, [navigate])
}

/** The alerts that this page has shown: none is shown twice if the server cannot be reached in between. */
const shown = new Set<string>()

/** Shows each due wish once, under a lock: of several tabs that are visible one tells, and the others read an empty list. */
async function tellWhoIsFree(queryClient: QueryClient, userId: string): Promise<void> {
  const tell = async () => {
    const { alerts } = await api(readAlerts, {})
    const { connections, throughCircles = [] } = await queryClient.fetchQuery({
      ...teamQuery(queryClient),
      staleTime: 60_000,
    })
    for (const { userId: personId, freeSince } of alerts) {
      const person = [...connections, ...throughCircles].find(({ person }) => person.id === personId)?.person
      if (freeSince === null || !person) continue
      const key = `${personId} ${freeSince}`
      if (!shown.has(key)) {
        const description = texts.freeSince({ time: timeOrDayText(new Date(freeSince), serverNow()) })
        showToast({ title: texts.isFree({ name: shownName(person) }), description, tone: 'success' })
        shown.add(key)
      }
      await api(setAlert, { userId: personId, isWanted: false })
    }
  }
  // Insecure contexts (plain http) have no locks.
  await (navigator.locks ? navigator.locks.request(`deeb-alerts-${userId}`, tell) : tell())
  await queryClient.invalidateQueries({ queryKey: ALERTS_KEY })
}
