import { Switch } from './Switch.tsx'

interface SwitchRowProps {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A setting that is on or off: its name and its switch. */
export function SwitchRow({ label, ...rest }: SwitchRowProps) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-x-4">
      {/* The switch has the same name. */}
      <span aria-hidden="true" className="min-w-0 wrap-anywhere">
        {label}
      </span>
      <Switch label={label} {...rest} />
    </div>
  )
}
