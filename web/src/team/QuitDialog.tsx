import type { Connection } from '@deeb/core/team/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
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
  return (
    <Dialog
      dismissal="dismissible"
      title={texts.quitTitle({ name })}
      description={
        circleNames.length > 0
          ? texts.quitDescriptionWithCircles({ name, circles: listText(circleNames) })
          : texts.quitDescription({ name })
      }
      onDismiss={onClose}
      busy={busy}
    >
      <FormError>{failure}</FormError>
      <DialogActions>
        <Button kind="secondary" onClick={onClose} busy={busy}>
          {commonTexts.cancel()}
        </Button>
        <Button
          kind="destructive"
          busy={busy}
          onClick={() => void run(() => quit.mutateAsync(connection).then(onClose, () => undefined))}
        >
          {texts.quit()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
