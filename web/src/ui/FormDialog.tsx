import * as texts from '@deeb/texts/common'
import type { ReactNode } from 'react'
import { Button, type ButtonKind } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { FormError } from './FormError.tsx'
import { withdrawFailures } from './toast.ts'
import { useSubmit } from './use-submit.ts'

interface FormDialogProps {
  title: string
  description?: string
  /** The label of the submit button. */
  action: string
  kind?: ButtonKind
  /** See useClickGuard(). */
  isGuarded?: boolean
  /** Resolves to whether it succeeded. Then the dialog closes, else it stays open with its input. */
  onSubmit: (form: FormData) => Promise<boolean>
  onClose: () => void
  /** The fields. */
  children?: ReactNode
}

/** A dialog with a form: fields if there are any, a submit button and Cancel. Without fields, it asks before a change. */
export function FormDialog({
  action,
  kind = 'primary',
  isGuarded = false,
  children,
  onClose,
  ...rest
}: FormDialogProps) {
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    if (await rest.onSubmit(form)) onClose()
  })
  function cancel(): void {
    withdrawFailures()
    onClose()
  }
  return (
    <Dialog
      dismissal="dismissible"
      title={rest.title}
      onDismiss={cancel}
      busy={busy}
      {...(rest.description ? { description: rest.description } : {})}
    >
      <form onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
        {children}
        <FormError>{failure}</FormError>
        <DialogActions>
          <Button kind="secondary" onClick={cancel} busy={busy}>
            {texts.cancel()}
          </Button>
          <Button kind={kind} type="submit" busy={busy || isGuarded}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
