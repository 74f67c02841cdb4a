import type { Connection } from '@deeb/core/team/api'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { listText, shortName } from './members.ts'
import { useQuitConnection } from './team-queries.ts'

interface QuitDialogProps {
  connection: Connection
  /** The names of the circles that the two share. */
  circleNames: string[]
  onClose: () => void
}

/** Asks before a connection is ended. */
export function QuitDialog({ connection, circleNames, onClose }: QuitDialogProps) {
  const quit = useQuitConnection()
  const [busy, run, failure] = useBusy()
  const { person } = connection
  const name = shortName(person)
  const also = circleNames.length > 0 ? ` You no longer see each other in ${listText(circleNames)} either.` : ''
  return (
    <Dialog
      dismissal="dismissible"
      title={`Quit connection with ${name}?`}
      description={`${name} is removed from your team connections, and you from theirs. To connect again, send a new request.${also}`}
      onDismiss={onClose}
      busy={busy}
    >
      <FormError>{failure}</FormError>
      <DialogActions>
        <Button kind="secondary" onClick={onClose} busy={busy}>
          Cancel
        </Button>
        <Button
          kind="destructive"
          busy={busy}
          onClick={() => void run(() => quit.mutateAsync(connection).then(onClose, () => undefined))}
        >
          Quit Connection
        </Button>
      </DialogActions>
    </Dialog>
  )
}
