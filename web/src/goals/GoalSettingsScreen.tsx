import type { DailyGoal } from '@deeb/core/goals/week-of-goals'
import { nearestOnWheels, SETTINGS_DEFAULT_GOAL_MINUTES, WEEK_FROM_MONDAY } from '@deeb/core/goals/week-of-goals'
import { weekdayName, weekdayShortName } from '@deeb/core/goals/weekday-names'
import { APP_PATHS } from '@deeb/core/paths'
import { hoursAndMinutes } from '@deeb/core/stats/ring'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/goals'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useIsFresh } from '../calls/use-is-fresh.ts'
import { goUp, wasEnteredFrom } from '../device/history.ts'
import { useHome } from '../focus/day-queries.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { focusHeading } from '../ui/ScreenHeading.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { GoalRow } from './GoalRow.tsx'
import { useGoalsDraft } from './goals-draft.ts'
import { useSaveGoals } from './goals-queries.ts'
import './goal-settings.css'

const WEEKDAYS: readonly number[] = WEEK_FROM_MONDAY.slice(0, 5)

export default onboarded(GoalSettingsScreen)

function GoalSettingsScreen() {
  const [parent] = useState(() => (wasEnteredFrom(APP_PATHS.settings) ? APP_PATHS.settings : APP_PATHS.profile))
  const backLabel = parent === APP_PATHS.settings ? texts.backToSettings() : texts.backToProfile()
  const subPage = { title: texts.title(), parent, backLabel }
  const read = useHome()
  const { data: home, isError, refetch } = read
  const isRead = useIsFresh(read)
  /** Nothing is known, so nothing is shown. */
  const isUnknown = !home && isError
  const save = useSaveGoals()
  const [busy, run, failure] = useBusy()
  const isShown = useIsShown()
  const { draft, changeDraft } = useGoalsDraft()
  const [openDay, setOpenDay] = useState<number | null>(null)
  /** The text for screen readers about what `Same for ...` has changed, above or below. */
  const [announcement, setAnnouncement] = useState('')

  const savedOn = (dayOfWeek: number) => minutesOn(home?.goals ?? [], dayOfWeek)
  const goals = WEEK_FROM_MONDAY.map((dayOfWeek) => ({
    dayOfWeek,
    goalMinutes: minutesOn(draft, dayOfWeek) ?? savedOn(dayOfWeek) ?? SETTINGS_DEFAULT_GOAL_MINUTES,
  }))
  const weekMinutes = goals.reduce((sum, { goalMinutes }) => sum + goalMinutes, 0)
  const isChanged = draft.some(({ dayOfWeek, goalMinutes }) => goalMinutes !== savedOn(dayOfWeek))

  /** Changes the goals of these days, each from its value at that moment: two wheels may move at the same time. */
  function change(days: readonly number[], changed: (goalMinutes: number | undefined) => number): void {
    changeDraft((draft) => {
      const others = draft.filter(({ dayOfWeek }) => !days.includes(dayOfWeek))
      const these = days.map((dayOfWeek) => ({ dayOfWeek, goalMinutes: changed(minutesOn(draft, dayOfWeek)) }))
      return [...others, ...these.filter(({ dayOfWeek, goalMinutes }) => goalMinutes !== savedOn(dayOfWeek))]
    })
  }

  function turn(dayOfWeek: number, shown: number, wheels: object): void {
    change([dayOfWeek], (drafted = shown) => {
      const { hours, minutes } = { ...nearestOnWheels(drafted), ...wheels }
      return hours * 60 + minutes
    })
  }

  function same(days: readonly number[], goalMinutes: number, textOf: typeof texts.allDays): void {
    change(days, () => goalMinutes)
    setAnnouncement(textOf({ goal: hoursAndMinutes(goalMinutes) }))
  }

  function discard(): void {
    focusHeading()
    changeDraft(() => [])
  }

  function submit(): Promise<void> {
    return save.mutateAsync(goals).then(
      ({ goals }) => {
        // Not a goal that was changed while the others were saved.
        changeDraft((draft) => draft.filter((goal) => goal.goalMinutes !== minutesOn(goals, goal.dayOfWeek)))
        showToast({ title: texts.saved(), description: texts.savedNote(), tone: 'success' })
        if (isShown.current) goUp(parent)
      },
      () => showFailure(texts.saveFailed()),
    )
  }

  useOnLeave(isShown, () => {
    if (!isChanged || busy) return
    const action = { label: commonTexts.save(), onPress: submit }
    showToast({ title: texts.kept(), description: texts.keptNote(), tone: 'success', action })
  })

  return (
    <FocusFrame title={subPage.title} focus={home} subPage={subPage}>
      <main className="columns flex flex-1 flex-col pb-5 wide:grid" aria-busy={!home && !isError}>
        <div>
          {isError ? <LoadNote onRetry={() => void refetch()} /> : null}
          {isUnknown ? null : (
            <ul>
              {WEEK_FROM_MONDAY.map((dayOfWeek, n) => {
                const goalMinutes = goals[n]?.goalMinutes ?? 0
                return (
                  <GoalRow
                    key={dayOfWeek}
                    label={weekdayShortName(dayOfWeek)}
                    dayName={weekdayName(dayOfWeek)}
                    goalMinutes={goalMinutes}
                    open={dayOfWeek === openDay}
                    onToggle={() => setOpenDay(dayOfWeek === openDay ? null : dayOfWeek)}
                    onChange={(wheels) => turn(dayOfWeek, goalMinutes, wheels)}
                    onSameForAll={() => same(WEEK_FROM_MONDAY, goalMinutes, texts.allDays)}
                    onSameForWeekdays={
                      WEEKDAYS.includes(dayOfWeek) ? () => same(WEEKDAYS, goalMinutes, texts.weekdays) : undefined
                    }
                  />
                )
              })}
            </ul>
          )}
          <p role="status" className="sr-only">
            {announcement}
          </p>
        </div>
        {isUnknown ? null : (
          <div className="goals-save">
            <p
              className={`mb-2 min-h-11 items-center justify-between text-body wide:flex! wide:min-h-14 ${isChanged ? 'hidden' : 'flex short:hidden'}`}
            >
              <span className="text-soft">{texts.week()}</span> <span>{hoursAndMinutes(weekMinutes)}</span>
            </p>
            {isChanged ? (
              <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-x-2 wide:order-last wide:mt-2">
                <p className="text-body text-soft">{texts.notSaved()}</p>
                <TextButton onClick={discard}>{texts.discard()}</TextButton>
              </div>
            ) : null}
            <FormError>{failure}</FormError>
            <Button kind="primary" onClick={() => void run(submit)} disabled={!isRead || isError} busy={busy}>
              {busy ? commonTexts.saving() : texts.save()}
            </Button>
          </div>
        )}
      </main>
    </FocusFrame>
  )
}

function minutesOn(goals: readonly DailyGoal[], dayOfWeek: number): number | undefined {
  return goals.find((goal) => goal.dayOfWeek === dayOfWeek)?.goalMinutes
}

/** Shown if the saved goals could not be loaded. Nothing can be saved then, so that they are not overwritten. */
function LoadNote({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="mb-4">
      <p className="text-body text-pretty">{texts.loadFailed()}</p>
      <TextButton onClick={onRetry}>{commonTexts.tryAgain()}</TextButton>
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

/** Calls back when the screen was left, by whatever way. Not for the remount of React's development mode. */
function useOnLeave(isShown: RefObject<boolean>, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave)
  useEffect(
    () => () => {
      queueMicrotask(() => {
        if (!isShown.current) leave()
      })
    },
    [isShown],
  )
}
