import { weekText } from '@deeb/core/stats/weeks'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { WeekStep, WeekSteps } from './use-week-steps.ts'

const ARROWS = {
  earlier: { label: 'Earlier week', Icon: ChevronLeft, className: '-ml-[13px]' },
  later: { label: 'Later week', Icon: ChevronRight, className: '-mr-[13px]' },
}

/** The name of the shown week between two arrows. */
export function WeekNav({ steps, thisWeek }: { steps: WeekSteps; thisWeek: string }) {
  return (
    // The arrows do not grow with the text, so the space below them does.
    <div className="flex items-center justify-between pb-[calc(1rem-16px)]">
      <Arrow step="earlier" steps={steps} />
      <h2 aria-live="polite" className="text-center text-name">
        {weekText(steps.shown, thisWeek)}
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
      aria-label={label}
      aria-disabled={!can[step] || undefined}
      onClick={() => go(step)}
      onPointerEnter={() => prepare(step)}
      onFocus={() => prepare(step)}
      className={`${className} grid size-[44px] flex-none place-items-center rounded-full focus-visible:-outline-offset-2 ${can[step] ? '' : 'text-tick'}`}
    >
      <Icon size={28} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
