import './dialog.css'
import { type ReactNode, useId, useRef } from 'react'
import { useModal } from './use-modal.ts'

type DialogProps = {
  title: string
  /** One or two sentences under the title, read out when the dialog opens. */
  description?: ReactNode
  children?: ReactNode
} & (
  | {
      dismissal: 'dismissible'
      onDismiss: () => void
      /** While true, the dialog cannot be dismissed. */
      busy?: boolean
    }
  | { dismissal: 'blocking' }
)

/**
 * A modal dialog, open while it is rendered: `{asking ? <Dialog ... /> : null}`. Its first control gets the focus, so put the
 * harmless answer before a destructive one.
 */
export function Dialog({ title, description, children, ...rest }: DialogProps) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const isBlocking = rest.dismissal === 'blocking' || Boolean(rest.busy)
  useModal(ref, rest.dismissal === 'dismissible' ? rest.onDismiss : undefined, isBlocking)
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      closedby={isBlocking ? 'none' : 'closerequest'}
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

/** The buttons at the bottom of a dialog, side by side if they fit. May be inside the dialog's form. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions flex flex-wrap gap-3 *:w-auto *:min-w-fit *:flex-1">{children}</div>
}
