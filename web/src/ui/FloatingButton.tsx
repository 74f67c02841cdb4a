import './floating-button.css'
import type { ComponentType } from 'react'
import { countText } from './count-text.ts'

type FloatingButtonProps = {
  label: string
  icon: ComponentType<{ size: number; strokeWidth: number }>
  /** Shown in a badge and in the button's accessible name; no badge for 0. */
  count: number
  onClick: () => void
}

/** A round button over the lower corner at the end of the page, with a count. A list below it ends 96 px above the bar. */
export function FloatingButton({ label, icon: Icon, count, onClick }: FloatingButtonProps) {
  return (
    <button
      type="button"
      aria-label={count > 0 ? `${label}, ${count}` : label}
      onClick={onClick}
      className="floating-button grid size-[60px] place-items-center rounded-full bg-ink text-ground shadow-float"
    >
      <Icon size={28} strokeWidth={1.75} />
      {count > 0 ? (
        <span className="floating-badge" aria-hidden="true">
          {countText(count)}
        </span>
      ) : null}
    </button>
  )
}
