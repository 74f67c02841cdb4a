import * as texts from '@deeb/texts/common'
import { haptic } from './haptic.ts'

type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** The id of an element that describes the switch. */
  describedBy?: string
  /** Ignores presses, but keeps its look and the focus. */
  disabled?: boolean | undefined
  /** The key that does the same as a press: `D`. */
  shortcut?: string
}

/** The switch: hollow is off, filled is on. */
export function Switch({ label, checked, onChange, describedBy, disabled = false, shortcut }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-describedby={describedBy}
      aria-disabled={disabled || undefined}
      aria-keyshortcuts={shortcut}
      title={shortcut && texts.switchKey({ key: shortcut })}
      onClick={() => {
        if (disabled) return
        haptic()
        onChange(!checked)
      }}
      className="switch"
    >
      <span className="switch-track">
        <span className="switch-knob" />
      </span>
    </button>
  )
}
