import { type ReactNode, useId, useRef } from 'react'
import { useModal } from './use-modal.ts'

type DialogProps = {
  title: string
  /** One or two sentences under the title, read out when the dialog opens. */
  description?: ReactNode
  children?: ReactNode
} & ({ dismissal: 'dismissible'; onDismiss: () => void } | { dismissal: 'blocking' })

/**
 * A modal dialog, open while it is rendered: `{asking ? <Dialog ... /> : null}`. The focus goes to its first control, so
 * in a question about something destructive put the harmless answer first.
 */
export function Dialog({ title, description, children, ...rest }: DialogProps) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useModal(ref, rest.dismissal === 'dismissible' ? rest.onDismiss : undefined)
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      closedby={rest.dismissal === 'blocking' ? 'none' : 'closerequest'}
      className="dialog"
    >
      <h2 id={`${id}-title`} className="text-heading">
        {title}
      </h2>
      {description ? (
        <p id={`${id}-description`} className="mt-2 text-body text-pretty text-soft">
          {description}
        </p>
      ) : null}
      {children}
    </dialog>
  )
}

/** The buttons at the foot of a dialog, side by side where they fit. May stand inside the dialog's form. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap gap-3 *:w-auto *:flex-1 *:whitespace-nowrap">{children}</div>
}
