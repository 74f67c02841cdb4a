import { nearestOnWheels, WHEEL_STEP_MINUTES } from '@deeb/core/goals/week-of-goals'
import { hoursAndMinutes } from '@deeb/core/stats/ring'
import * as texts from '@deeb/texts/goals'
import { Button } from '../ui/Button.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { WheelPicker } from '../ui/WheelPicker.tsx'

interface GoalRowProps {
  /** `Mo` */
  label: string
  /** `Monday` */
  dayName: string
  goalMinutes: number
  open: boolean
  onToggle: () => void
  /** Gets only the changed part: both wheels may move before the next render. */
  onChange: (moved: { hours: number } | { minutes: number }) => void
  /** Gives this goal to all days, or from Monday to Friday. The latter only for one of these. */
  onSameForAll: () => void
  onSameForWeekdays: (() => void) | undefined
}

/** The goal of one day, and below it the wheels to change it. */
export function GoalRow({ label, dayName, goalMinutes, open, onToggle, onChange, ...same }: GoalRowProps) {
  const { hours, minutes } = nearestOnWheels(goalMinutes)
  return (
    <Disclosure label={label} value={hoursAndMinutes(goalMinutes)} open={open} onToggle={onToggle}>
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="sr-only">{dayName}</legend>
        <WheelPicker label={texts.hours()} value={hours} min={0} max={23} onChange={(hours) => onChange({ hours })} />
        <WheelPicker
          label={texts.minutes()}
          value={minutes}
          min={0}
          max={60 - WHEEL_STEP_MINUTES}
          step={WHEEL_STEP_MINUTES}
          onChange={(minutes) => onChange({ minutes })}
        />
      </fieldset>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button kind="secondary" size="list" onClick={same.onSameForAll}>
          {texts.sameForAll()}
        </Button>
        {same.onSameForWeekdays ? (
          <Button kind="secondary" size="list" onClick={same.onSameForWeekdays}>
            {texts.sameForWeekdays()}
          </Button>
        ) : null}
      </div>
    </Disclosure>
  )
}
