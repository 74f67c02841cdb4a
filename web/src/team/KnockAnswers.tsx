import { shownName } from '@deeb/core/account/display-name'
import { seeAnswer } from '@deeb/core/alerts/knock-api'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../calls/api.ts'
import { onTouch } from '../device/on-touch.ts'
import { ALERTS_KEY } from '../focus/focus-cache.ts'
import { showToast } from '../ui/toast.ts'
import { useKnocks } from './knock-queries.ts'
import { answerText } from './knock-text.ts'
import { membersOf } from './members.ts'
import { useTeam } from './team-queries.ts'
import { isWallDisplay } from './wall-display-path.ts'

/** As long as the toast. */
const SHOWN_FOR_MS = 5_000

/**
 * Shows answers to the knocks of the user on every screen. The server forgets one once somebody has touched a page that shows it: on a
 * screen that nobody looks at, it would be lost.
 */
export default function KnockAnswers() {
  const queryClient = useQueryClient()
  const { data: team } = useTeam()
  const sent = useKnocks()?.sent ?? []
  const people = new Map(team && membersOf(team).map(({ person }) => [person.id, person]))
  const answered = sent.flatMap(({ userId, answer }) => {
    const person = people.get(userId)
    return answer && person ? [[userId, answerText(shownName(person), answer)]] : []
  })
  const shown = JSON.stringify(answered)
  useEffect(() => {
    const answers: [string, string][] = JSON.parse(shown)
    if (answers.length === 0) return
    let shownAt = Number.NEGATIVE_INFINITY
    const show = () => {
      if (document.visibilityState !== 'visible' || isWallDisplay(location.search)) return
      for (const [, title] of answers) showToast({ title, tone: 'success' })
      shownAt = performance.now()
    }
    const see = async () => {
      if (performance.now() - shownAt > SHOWN_FOR_MS) return
      shownAt = Number.NEGATIVE_INFINITY
      await Promise.all(answers.map(([userId]) => api(seeAnswer, { userId })))
      await queryClient.invalidateQueries({ queryKey: ALERTS_KEY })
    }
    show()
    document.addEventListener('visibilitychange', show)
    const endTouches = onTouch(() => void see().catch(() => undefined))
    return () => {
      document.removeEventListener('visibilitychange', show)
      endTouches()
    }
  }, [shown, queryClient])
  return null
}
