import type { ReactNode } from 'react'

type BarIconProps = { size: number; strokeWidth: number }

/* Icons of the frame, on lucide's grid of 24. Lucide's own have other shapes, or come too late for the first paint. */

/** Two heads. */
export function TeamIcon(props: BarIconProps) {
  return (
    <BarIcon {...props}>
      <circle cx={9} cy={8} r={3.1} />
      <path d="M2.75 19.75C2.75 16.4 5.4 13.85 9.1 13.85S15.45 16.4 15.45 19.75" />
      <path d="M15.45 5.15A3.1 3.1 0 0 1 15.45 10.85M17.5 14.2C19.7 15.05 21.2 17 21.2 19.75" />
    </BarIcon>
  )
}

/** One head. */
export function ProfileIcon(props: BarIconProps) {
  return (
    <BarIcon {...props}>
      <circle cx={12} cy={8} r={3.65} />
      <path d="M4.75 20C4.75 16.4 7.9 13.85 12 13.85S19.25 16.4 19.25 20" />
    </BarIcon>
  )
}

/** Two sliders. */
export function SettingsIcon(props: BarIconProps) {
  return (
    <BarIcon {...props}>
      <path d="M3.5 8H12.7M17.7 8H20.5M3.5 16H6.3M11.3 16H20.5" />
      <circle cx={15.2} cy={8} r={2.5} />
      <circle cx={8.8} cy={16} r={2.5} />
    </BarIcon>
  )
}

/** An angle to the left. */
export function BackIcon(props: BarIconProps) {
  return (
    <BarIcon {...props}>
      <path d="m15 18-6-6 6-6" />
    </BarIcon>
  )
}

/** One head and a plus sign. */
export function AddPersonIcon(props: BarIconProps) {
  return (
    <BarIcon {...props}>
      <circle cx={9.75} cy={8.25} r={3.4} />
      <path d="M3.25 19.5C3.25 16.2 6.1 13.85 9.75 13.85S16.25 16.2 16.25 19.5M19 8.6V14.4M16.1 11.5H21.9" />
    </BarIcon>
  )
}

function BarIcon({ size, strokeWidth, children }: BarIconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}
