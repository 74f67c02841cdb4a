import { nearestOnWheels, SETTINGS_DEFAULT_GOAL_MINUTES, WEEK_FROM_MONDAY } from '@deeb/core/goals/week-of-goals'
import { APP_PATHS } from '@deeb/core/paths'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { FocusFrame } from '../FocusFrame.tsx'
import { goUp, wasEnteredFrom } from '../history.ts'
import { onboarded } from '../onboarded.tsx'
import { useHome } from '../stats/stats-queries.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useIsFresh } from '../use-is-fresh.ts'
import { GoalRow } from './GoalRow.tsx'
import { useSaveGoals } from './goals-queries.ts'

const TITLE = 'Goal Settings'
const OF_PROFILE = { title: TITLE, parent: APP_PATHS.profile, backLabel: 'Back to Profile' }
const OF_SETTINGS = { title: TITLE, parent: APP_PATHS.settings, backLabel: 'Back to Settings' }

export default onboarded(GoalSettingsScreen)

function GoalSettingsScreen() {
  const [subPage] = useState(() => (wasEnteredFrom(APP_PATHS.settings) ? OF_SETTINGS : OF_PROFILE))
  const read = useHome()
  const { data: home, isError, refetch } = read
  const isRead = useIsFresh(read)
  const save = useSaveGoals()
  const [busy, run, failure] = useBusy()
  const isShown = useIsShown()
  /** The changed goals by day of the week. The other days keep their goals. */
  const [moved, setMoved] = useState<ReadonlyMap<number, number>>(new Map())
  const [openDay, setOpenDay] = useState<number | null>(null)

  const goals = WEEK_FROM_MONDAY.map(({ dayOfWeek }) => {
    const saved = home?.goals.find((goal) => goal.dayOfWeek === dayOfWeek)?.goalMinutes
    return { dayOfWeek, goalMinutes: moved.get(dayOfWeek) ?? saved ?? SETTINGS_DEFAULT_GOAL_MINUTES }
  })

  function turn(dayOfWeek: number, goalMinutes: number, wheels: object): void {
    setMoved((moved) => {
      const { hours, minutes } = { ...nearestOnWheels(moved.get(dayOfWeek) ?? goalMinutes), ...wheels }
      return new Map(moved).set(dayOfWeek, hours * 60 + minutes)
    })
  }

  function submit(): Promise<void> {
    return save.mutateAsync(goals).then(
      () => {
        const description = 'Your daily goals have been updated successfully.'
        showToast({ title: 'Goals saved!', description, tone: 'success' })
        if (isShown.current) goUp(subPage.parent)
      },
      () => showFailure('Failed to save goals. Please try again.'),
    )
  }

  return (
    <FocusFrame title={TITLE} focus={home} subPage={subPage}>
      <main className="column flex flex-1 flex-col pb-5" aria-busy={!home && !isError}>
        {isError ? <LoadNote onRetry={() => void refetch()} /> : null}
        <ul>
          {WEEK_FROM_MONDAY.map(({ dayOfWeek, shortName, name }, n) => (
            <GoalRow
              key={dayOfWeek}
              label={shortName}
              dayName={name}
              goalMinutes={goals[n]?.goalMinutes ?? 0}
              open={dayOfWeek === openDay}
              onToggle={() => setOpenDay(dayOfWeek === openDay ? null : dayOfWeek)}
              onChange={(wheels) => turn(dayOfWeek, goals[n]?.goalMinutes ?? 0, wheels)}
            />
          ))}
        </ul>
        <div className="mt-auto pt-6">
          <FormError>{failure}</FormError>
          <Button kind="primary" onClick={() => void run(submit)} disabled={!isRead || isError} busy={busy}>
            {busy ? 'Saving...' : 'Save Goals'}
          </Button>
        </div>
      </main>
    </FocusFrame>
  )
}

/** Shown if the saved goals could not be loaded. Nothing can be saved then, so that they are not overwritten. */
function LoadNote({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="mb-4">
      <p className="text-body text-pretty">Your goals could not be loaded. Check your connection and try again.</p>
      <TextButton onClick={onRetry}>Try again</TextButton>
    </div>
  )
}

/** Whether this screen is still mounted: after its user has left it, a late response must not navigate. */
function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
