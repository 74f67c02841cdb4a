import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/unsent'
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
      title={texts.title({ count })}
      description={texts.note({ count })}
      onDismiss={onClose}
    >
      <DialogActions>
        <Button kind="primary" onClick={onKeep}>
          {texts.keep()}
        </Button>
        <Button kind="destructive" onClick={onDiscard}>
          {texts.discard()}
        </Button>
        <Button kind="secondary" onClick={onClose}>
          {commonTexts.cancel()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
