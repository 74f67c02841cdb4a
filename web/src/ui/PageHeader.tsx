import * as texts from '@deeb/texts/common'
import type { ReactNode } from 'react'
import { ChevronLeft } from './icons.tsx'
import { Logo } from './Logo.tsx'
import { ScreenHeading } from './ScreenHeading.tsx'

type PageHeaderProps = {
  plugs: 'in' | 'out'
  onHome: () => void
  /** The end: the switch, and a text beside it. */
  children?: ReactNode
}

/** The header of a screen: the logo at the start, the switch at the end, vertically centred. */
export function PageHeader({ plugs, onHome, children }: PageHeaderProps) {
  return (
    <HeaderRow>
      <button
        type="button"
        aria-label={texts.goHome()}
        onClick={onHome}
        className="me-auto flex h-[44px] flex-none items-center rounded-bar"
      >
        <Logo plugs={plugs} className="h-[min(1.625rem,32px)]" />
      </button>
      <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-3">{children}</div>
    </HeaderRow>
  )
}

type SubPageHeaderProps = { title: string; backLabel: string; onBack: () => void; children?: ReactNode }

/** The header of a page below a screen: a back button and the title, and the switch at the end. */
export function SubPageHeader({ title, backLabel, onBack, children }: SubPageHeaderProps) {
  return (
    <HeaderRow>
      <div className="me-auto flex min-w-0 items-center gap-[5px] pe-3">
        <button
          type="button"
          aria-label={backLabel}
          onClick={onBack}
          className="-ms-[13px] grid size-[44px] flex-none place-items-center rounded-full rtl:-scale-x-100"
        >
          <ChevronLeft size={28} strokeWidth={1.75} />
        </button>
        <ScreenHeading className="text-heading">{title}</ScreenHeading>
      </div>
      {children}
    </HeaderRow>
  )
}

/** As wide on every screen, so that the logo and the switch do not move between screens. */
function HeaderRow({ children }: { children: ReactNode }) {
  return (
    <header className="@container pt-[env(safe-area-inset-top)]">
      <div className="column flex min-h-[72px] flex-wrap items-center justify-end gap-y-2 py-2 low:min-h-14 low:py-1 wide:frame lg:min-h-22">
        {children}
      </div>
    </header>
  )
}
