import { copyText } from '../account/copy-text.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'

/** Shows the secret of a webhook, the only time that anyone can read it. */
export function NewSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      dismissal="blocking"
      title="The secret of this webhook"
      description="Copy it now: nobody can show it again. With it, your program checks that a message is from deeb (Standard Webhooks)."
    >
      <div className="mt-5 flex flex-col gap-4">
        <TextField label="Secret" value={secret} readOnly onFocus={(event) => event.currentTarget.select()} />
        <DialogActions>
          <Button kind="secondary" onClick={onClose}>
            Done
          </Button>
          <Button kind="primary" onClick={() => void copyText(secret, 'Secret copied')}>
            Copy
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
