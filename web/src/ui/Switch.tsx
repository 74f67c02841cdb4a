type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** The id of an element that describes the switch. */
  describedBy?: string
  /** Ignores presses, but keeps its look and the focus. */
  disabled?: boolean | undefined
}

/** The switch: hollow is off, filled is on. */
export function Switch({ label, checked, onChange, describedBy, disabled = false }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-describedby={describedBy}
      aria-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) onChange(!checked)
      }}
      className="switch"
    >
      <span className="switch-track">
        <span className="switch-knob" />
      </span>
    </button>
  )
}
