type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** The id of an element with a note to it. */
  describedBy?: string
  /** Ignores presses. It keeps its look and the focus: a switch that waits is not a switch that is away. */
  disabled?: boolean | undefined
}

/** The plug: hollow is off, filled is on. */
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
