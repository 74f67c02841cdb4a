import * as texts from '@deeb/texts/common'
import type { ComponentType } from 'react'
import { countText } from './count-text.ts'

export type BottomBarItem = {
  label: string
  /** A component of icons.tsx. */
  icon: ComponentType<{ size: number; strokeWidth: number }>
  current: boolean
  /** The number of requests, in a badge and in the accessible name; no badge for 0. */
  badge?: number
  onSelect: () => void
}

/** The fixed navigation bar at the bottom of every screen. A page leaves `--bar-height` free below its content. */
export function BottomBar({ items }: { items: readonly BottomBarItem[] }) {
  return (
    <nav
      aria-label={texts.mainNavigation()}
      className="bottom-bar @container fixed inset-x-0 bottom-0 z-10 h-(--bar-height) border-t border-bar-line bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto grid h-full max-w-[24.375rem] @5xl:max-w-[30rem] auto-cols-fr grid-flow-col px-6">
        {items.map((item) => (
          <li key={item.label} className="h-full">
            <BarButton {...item} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function BarButton({ label, icon: Icon, current, badge = 0, onSelect }: BottomBarItem) {
  return (
    <button
      type="button"
      aria-label={badge > 0 ? texts.withRequests({ label, count: badge }) : label}
      aria-current={current ? 'page' : undefined}
      onClick={onSelect}
      className={`relative flex size-full items-center justify-center gap-4.5 rounded-card focus-visible:-outline-offset-4 ${
        current ? 'text-ink' : 'text-soft hover:text-ink'
      }`}
    >
      <span className="relative">
        <Icon size={28} strokeWidth={current ? 2.25 : 1.75} />
        {badge > 0 ? (
          <span className="bar-badge" aria-hidden="true">
            {countText(badge)}
          </span>
        ) : null}
      </span>
      <span className="hidden text-label @5xl:inline">{label}</span>
      {current ? <span className="absolute bottom-[13%] size-[5px] rounded-full border bg-current" /> : null}
    </button>
  )
}
