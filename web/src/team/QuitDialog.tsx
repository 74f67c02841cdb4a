import { shownName } from '@deeb/core/account/display-name'
import type { Connection } from '@deeb/core/team/api'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useQuitConnection } from './team-queries.ts'

/** Asks before a connection is ended. */
export function QuitDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const quit = useQuitConnection()
  const [busy, run, failure] = useBusy()
  const { person } = connection
  const name = person.firstName ?? shownName(person)
  return (
    <Dialog
      dismissal="dismissible"
      title={`Quit connection with ${name}?`}
      description={`${name} is removed from your team connections, and you from theirs. To connect again, send a new request.`}
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
