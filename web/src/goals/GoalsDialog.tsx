import { everyDay, HOME_DEFAULT_GOAL_MINUTES, MAX_GOAL_MINUTES } from '@deeb/core/goals/week-of-goals'
import { weekdayName } from '@deeb/core/goals/weekday-names'
import * as texts from '@deeb/texts/goals'
import { useEffect, useId, useRef, useState } from 'react'
import { leaveOnboarding } from '../device/history.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useSaveGoals } from './goals-queries.ts'

/** The second dialog for a new user. It closes when goals are chosen or skipped. */
export function GoalsDialog() {
  const unitId = useId()
  const [goals, setGoals] = useState(() => everyDay(HOME_DEFAULT_GOAL_MINUTES))
  const [isByDay, setByDay] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  // The button that had the focus is gone then.
  useEffect(() => {
    if (isByDay) fields.current?.querySelector('input')?.focus()
  }, [isByDay])
  const save = useSaveGoals()
  const [busy, run, failure] = useBusy()

  function change(dayOfWeek: number, goalMinutes: number): void {
    setGoals((goals) => goals.map((goal) => (goal.dayOfWeek === dayOfWeek ? { dayOfWeek, goalMinutes } : goal)))
  }

  function submit(): Promise<void> {
    return save.mutateAsync(goals).then(showSaved, () => {
      showFailure(texts.setFailed())
    })
  }

  function skip(): Promise<void> {
    return save.mutateAsync(everyDay(HOME_DEFAULT_GOAL_MINUTES)).then(showDefault, () => {
      showFailure(texts.skipFailed())
    })
  }

  const field = { describedBy: unitId, min: 0, max: MAX_GOAL_MINUTES }
  return (
    <Dialog dismissal="blocking" title={texts.setGoals()}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run(submit)
        }}
      >
        <p id={unitId} className="w-full pe-4 text-end text-note text-soft">
          {texts.unit()}
        </p>
        <div ref={fields} className="mt-1.5 flex flex-col gap-2">
          {isByDay ? (
            goals.map(({ dayOfWeek, goalMinutes }) => (
              <NumberField
                key={dayOfWeek}
                label={weekdayName(dayOfWeek)}
                value={goalMinutes}
                onChange={(minutes) => change(dayOfWeek, minutes)}
                {...field}
              />
            ))
          ) : (
            <NumberField
              label={texts.everyDay()}
              value={goals[0]?.goalMinutes ?? HOME_DEFAULT_GOAL_MINUTES}
              onChange={(minutes) => setGoals(everyDay(minutes))}
              {...field}
            />
          )}
        </div>
        {isByDay ? null : <TextButton onClick={() => setByDay(true)}>{texts.differentDays()}</TextButton>}
        <FormError>{failure}</FormError>
        <DialogActions>
          <Button kind="secondary" onClick={() => void run(skip)} busy={busy}>
            {texts.skip()}
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {texts.save()}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function showSaved(): void {
  leaveOnboarding()
  showToast({ title: texts.goalsSet(), description: texts.goalsSetNote(), tone: 'success' })
}

function showDefault(): void {
  leaveOnboarding()
  showToast({ title: texts.skipped(), description: texts.skippedNote(), tone: 'success' })
}
