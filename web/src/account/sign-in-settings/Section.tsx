import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  /** A description, or why the setting cannot be changed. */
  note?: ReactNode
  /** A button at the right end of the heading and note, or below them. */
  action?: ReactNode
  children?: ReactNode
}

/** A part of the screen with a heading. */
export function Section({ title, note, action, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="pt-7">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={id} className="text-heading">
            {title}
          </h2>
          {note ? <p className="mt-1 text-body text-pretty text-soft">{note}</p> : null}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

interface RowProps {
  name: string
  note?: string | undefined
  /** Opposite the name: when it was used. */
  when?: string | undefined
  /** The buttons of the row. */
  children?: ReactNode
}

/** A row of a section: a name, a note below it, and the buttons at the right end or below. */
export function Row({ name, note, when, children }: RowProps) {
  return (
    <li className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 border-b border-line py-2">
      <span className="min-w-0 wrap-anywhere">
        <span className="block text-name">{name}</span>
        {note ? <span className="block text-note text-soft">{note}</span> : null}
      </span>
      {when ? <span className="ms-auto text-note text-soft">{when}</span> : null}
      {children ? <span className="flex flex-wrap gap-x-4">{children}</span> : null}
    </li>
  )
}
