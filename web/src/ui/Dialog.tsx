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
      /** What it asks about is being done, and cannot be given up any more. */
      busy?: boolean
    }
  | { dismissal: 'blocking' }
)

/**
 * A modal dialog, open while it is rendered: `{asking ? <Dialog ... /> : null}`. The focus goes to its first control, so
 * in a question about something destructive put the harmless answer first.
 */
export function Dialog({ title, description, children, ...rest }: DialogProps) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const stays = rest.dismissal === 'blocking' || Boolean(rest.busy)
  useModal(ref, rest.dismissal === 'dismissible' ? rest.onDismiss : undefined, stays)
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      closedby={stays ? 'none' : 'closerequest'}
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
  // In a low window the fields scroll under the buttons, which are always in sight.
  return (
    <div className="sticky -bottom-6 -mx-6 -mb-6 mt-5 flex flex-wrap gap-3 bg-surface px-6 pt-1 pb-6 *:w-auto *:flex-1 *:whitespace-nowrap">
      {children}
    </div>
  )
}
