import { APP_PATHS } from '@deeb/core/paths'
import { earlierWeekIn, mondayAfter } from '@deeb/core/stats/weeks'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useSearch } from 'wouter'
import { usePrefetchWeek } from './week-queries.ts'

export type WeekStep = 'earlier' | 'later'

/** The shown week, and how to show another one. */
export interface WeekSteps {
  /** Its Monday. */
  shown: string
  /** The same; null for the current week. */
  earlierWeek: string | null
  can: Record<WeekStep, boolean>
  go(step: WeekStep): void
  goTo(monday: string): void
  /** Loads the next week of a step that is likely. */
  prepare(step: WeekStep): void
}

/**
 * The week in the URL, `?week=2026-10-12`, so that the back button and a reload work. Any other text is the current week. The
 * arrow keys go to the week before and after it.
 */
export function useWeekSteps({ thisWeek, firstWeek }: { thisWeek: string; firstWeek: string | null }): WeekSteps {
  const [, navigate] = useLocation()
  const prefetch = usePrefetchWeek()
  const earlierWeek = earlierWeekIn(new URLSearchParams(useSearch()).get('week'), { firstWeek, thisWeek })
  const shown = earlierWeek ?? thisWeek
  const can = { earlier: firstWeek !== null && firstWeek < shown, later: earlierWeek !== null }

  const goTo = (monday: string) => {
    if (monday !== shown) navigate(monday === thisWeek ? APP_PATHS.profile : `${APP_PATHS.profile}?week=${monday}`)
  }
  const next = (step: WeekStep) => mondayAfter(shown, step === 'earlier' ? -1 : 1)
  const go = (step: WeekStep) => {
    if (can[step]) goTo(next(step))
  }
  const prepare = (step: WeekStep) => {
    if (can[step] && next(step) !== thisWeek) prefetch(next(step))
  }

  const weekBefore = earlierWeek !== null && can.earlier ? next('earlier') : null
  useEffect(() => {
    if (weekBefore !== null) prefetch(weekBefore)
  }, [weekBefore, prefetch])
  useArrowKeys(go)
  return { shown, earlierWeek, can, go, goTo, prepare }
}

/** Listens to the arrow keys of the page, unless a field, a dialog or the focused control uses them. */
function useArrowKeys(go: (step: WeekStep) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const step = { ArrowLeft: 'earlier', ArrowRight: 'later' }[event.key] as WeekStep | undefined
    const isOther = event.defaultPrevented || event.repeat
    if (!step || isOther || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (document.querySelector('dialog[open]') || (event.target as Element).closest('input, textarea, select')) return
    go(step)
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
