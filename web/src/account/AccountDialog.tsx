import type { ReactNode } from 'react'
import { Button, type ButtonKind } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { withdrawFailures } from '../ui/toast.ts'
import { useSubmit } from '../ui/use-submit.ts'

interface AccountDialogProps {
  title: string
  description?: string
  /** The label of the submit button. */
  action: string
  kind?: ButtonKind
  /** Resolves to whether it succeeded. Then the dialog closes, else it stays open with its input. */
  onSubmit: (form: FormData) => Promise<boolean>
  onClose: () => void
  /** The fields. */
  children?: ReactNode
}

/** A dialog with a form that changes the account: fields, a submit button and Cancel. */
export function AccountDialog({ action, kind = 'primary', children, onClose, ...rest }: AccountDialogProps) {
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
            Cancel
          </Button>
          <Button kind={kind} type="submit" busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
