import type { ReactNode, SVGProps } from 'react'

type IconProps = { size?: number; strokeWidth?: number; fill?: string; className?: string }

/* Icons on a grid of 24. They are decoration: the text beside them, or the label of their button, says what they mean. */

/** Two heads. */
export const TeamIcon = icon(
  <>
    <circle cx={9} cy={8} r={3.1} />
    <path d="M2.75 19.75C2.75 16.4 5.4 13.85 9.1 13.85S15.45 16.4 15.45 19.75" />
    <path d="M15.45 5.15A3.1 3.1 0 0 1 15.45 10.85M17.5 14.2C19.7 15.05 21.2 17 21.2 19.75" />
  </>,
)

/** One head. */
export const ProfileIcon = icon(
  <>
    <circle cx={12} cy={8} r={3.65} />
    <path d="M4.75 20C4.75 16.4 7.9 13.85 12 13.85S19.25 16.4 19.25 20" />
  </>,
)

/** Two sliders. */
export const SettingsIcon = icon(
  <>
    <path d="M3.5 8H12.7M17.7 8H20.5M3.5 16H6.3M11.3 16H20.5" />
    <circle cx={15.2} cy={8} r={2.5} />
    <circle cx={8.8} cy={16} r={2.5} />
  </>,
)

/** One head and a plus sign. */
export const AddPersonIcon = icon(
  <>
    <circle cx={9.75} cy={8.25} r={3.4} />
    <path d="M3.25 19.5C3.25 16.2 6.1 13.85 9.75 13.85S16.25 16.2 16.25 19.5M19 8.6V14.4M16.1 11.5H21.9" />
  </>,
)

export const ArrowRight = icon(<path d="M5 12H19M12 5L19 12L12 19" />)
export const Bell = icon(
  <path d="M3.25 15.3C5 13.5 6 12 6 8A6 6 0 0 1 18 8C18 12 19 13.5 20.75 15.3A1 1 0 0 1 20 17H4A1 1 0 0 1 3.25 15.3M10.25 21A2 2 0 0 0 13.75 21" />,
)
export const Check = icon(<path d="M4 12L9 17L20 6" />)
export const ChevronDown = icon(<path d="M6 9L12 15L18 9" />)
export const ChevronLeft = icon(<path d="M15 18L9 12L15 6" />)
export const ChevronRight = icon(<path d="M9 18L15 12L9 6" />)
export const ChevronUp = icon(<path d="M18 15L12 9L6 15" />)
export const Close = icon(<path d="M6 6L18 18M18 6L6 18" />)
/** Three dots. */
export const More = icon(<path d="M5 12H5.01M12 12H12.01M19 12H19.01" />)
export const Search = icon(<path d="M16.65 16.65L21 21M11 3A8 8 0 0 1 11 19A8 8 0 0 1 11 3" />)

/* @__NO_SIDE_EFFECTS__ */
function icon(shape: ReactNode) {
  return function Icon({ size = 24, ...attributes }: IconProps) {
    return (
      <svg aria-hidden="true" {...DRAWN} width={size} height={size} {...attributes}>
        {shape}
      </svg>
    )
  }
}

const DRAWN: SVGProps<SVGSVGElement> = {
  ...{ viewBox: '0 0 24 24', fill: 'none' },
  ...{ stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' },
}
