import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'

interface UnsentDialogProps {
  count: number
  onKeep: () => void
  onDiscard: () => void
  onClose: () => void
}

/** Asks whether to keep or discard switches that could not be sent before signing out. */
export function UnsentDialog({ count, onKeep, onDiscard, onClose }: UnsentDialogProps) {
  return (
    <Dialog
      dismissal="dismissible"
      title={count === 1 ? '1 change has not been sent.' : `${count} changes have not been sent.`}
      description={`You are signing out. If you keep ${count === 1 ? 'it' : 'them'} on this device, we send ${count === 1 ? 'it' : 'them'} when you sign in here again.`}
      onDismiss={onClose}
    >
      <DialogActions>
        <Button kind="primary" onClick={onKeep}>
          Keep on this device
        </Button>
        <Button kind="destructive" onClick={onDiscard}>
          Discard
        </Button>
        <Button kind="secondary" onClick={onClose}>
          Cancel
        </Button>
      </DialogActions>
    </Dialog>
  )
}
