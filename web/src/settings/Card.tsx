import './settings.css'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { enteredFrom } from '../device/history.ts'
import { ChevronRight } from '../ui/icons.tsx'

interface CardProps {
  title: string
  /** By default it is for screen readers only: the rows say it too. */
  isTitleShown?: boolean
  children: ReactNode
}

/** Rows that belong together. */
export function Card({ title, isTitleShown = false, children }: CardProps) {
  return (
    <section className="mt-2">
      <h2 className={isTitleShown ? 'pt-3 pb-2 text-label text-soft' : 'sr-only'}>{title}</h2>
      <div className="settings-card text-body">{children}</div>
    </section>
  )
}

interface RowTextProps {
  title: string
  /** The setting now. Undefined until it is known. */
  state: string | undefined
  note?: string | undefined
}

/** The content of a row that leads to a page or sheet, with the state of its setting at the end. */
export function RowText({ title, state, note }: RowTextProps) {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-4">
          <span className="flex-auto">{title}</span>
          <span className="settings-state text-note text-soft">{state}</span>
        </span>
        {note ? <span className="block text-note text-pretty text-soft">{note}</span> : null}
      </span>
      <ChevronRight size={20} className={`flex-none text-soft rtl:-scale-x-100 ${note ? 'mt-px self-start' : ''}`} />
    </>
  )
}

interface LinkRowProps extends RowTextProps {
  to: string
  /** The screen of the row, to which its page goes back. */
  from: string
}

export function LinkRow({ to, from, ...text }: LinkRowProps) {
  return (
    <Link href={to} state={enteredFrom(from)} className="settings-row gap-x-2">
      <RowText {...text} />
    </Link>
  )
}
