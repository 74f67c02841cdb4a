import { weekText } from '@deeb/core/stats/weeks'
import * as texts from '@deeb/texts/stats'
import { LANGUAGE } from '../device/language.ts'
import { ChevronLeft, ChevronRight } from '../ui/icons.tsx'
import type { WeekStep, WeekSteps } from './use-week-steps.ts'

const ARROWS = {
  earlier: { label: texts.earlierWeek, Icon: ChevronLeft, className: '-ms-[13px]' },
  later: { label: texts.laterWeek, Icon: ChevronRight, className: '-me-[13px]' },
}

/** The name of the shown week between two arrows. */
export function WeekNav({ steps, thisWeek }: { steps: WeekSteps; thisWeek: string }) {
  return (
    // The arrows do not grow with the text, so the space below them does.
    <div className="flex items-center justify-between pb-[calc(1rem-16px)]">
      <Arrow step="earlier" steps={steps} />
      <h2 aria-live="polite" className="text-center text-name">
        {weekText(steps.shown, thisWeek, LANGUAGE)}
      </h2>
      <Arrow step="later" steps={steps} />
    </div>
  )
}

/** Keeps the keyboard focus where it leads nowhere. */
function Arrow({ step, steps: { can, go, prepare } }: { step: WeekStep; steps: WeekSteps }) {
  const { label, Icon, className } = ARROWS[step]
  return (
    <button
      type="button"
      aria-label={label()}
      aria-disabled={!can[step] || undefined}
      onClick={() => go(step)}
      onPointerEnter={() => prepare(step)}
      onFocus={() => prepare(step)}
      className={`${className} grid size-[44px] flex-none place-items-center rounded-full focus-visible:-outline-offset-2 rtl:-scale-x-100 ${can[step] ? '' : 'text-tick'}`}
    >
      <Icon size={28} strokeWidth={1.75} />
    </button>
  )
}
