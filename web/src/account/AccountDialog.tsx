import type { ReactNode } from 'react'
import { Button, type ButtonKind } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { withdrawFailures } from '../ui/toast.ts'
import { useSubmit } from '../ui/use-submit.ts'

interface AccountDialogProps {
  title: string
  description?: string
  /** The button that does it. */
  action: string
  kind?: ButtonKind
  /** Resolves to whether it is done; then the dialog closes, else it stays with what was typed. */
  onSubmit: (form: FormData) => Promise<boolean>
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** A question about the account with fields, the action and a way out. */
export function AccountDialog({ action, kind = 'primary', children, onClose, ...rest }: AccountDialogProps) {
  const { onSubmit, busy } = useSubmit(async (form) => {
    if (await rest.onSubmit(form)) onClose()
  })
  function giveUp(): void {
    withdrawFailures()
    onClose()
  }
  return (
    <Dialog
      dismissal="dismissible"
      title={rest.title}
      onDismiss={giveUp}
      busy={busy}
      {...(rest.description ? { description: rest.description } : {})}
    >
      <form onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
        {children}
        <DialogActions>
          <Button kind="secondary" onClick={giveUp} busy={busy}>
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
