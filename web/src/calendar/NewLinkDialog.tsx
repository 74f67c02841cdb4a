import { copyText } from '../account/copy-text.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'

/** Shows the new link of the calendar, the only time that anyone can read it. */
export function NewLinkDialog({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <Dialog
      dismissal="blocking"
      title="Your calendar link"
      description="Copy it now: nobody can show it again. Add it to your calendar app as a subscription."
    >
      <div className="mt-5 flex flex-col gap-4">
        <TextField label="Link" value={url} readOnly onFocus={(event) => event.currentTarget.select()} />
        <ul className="text-note text-soft">
          <li>Google Calendar: Other calendars, From URL</li>
          <li>Outlook: Add calendar, Subscribe from web</li>
          <li>Apple Calendar: File, New Calendar Subscription</li>
        </ul>
        <DialogActions>
          <Button kind="secondary" onClick={onClose}>
            Done
          </Button>
          <Button kind="primary" onClick={() => void copyText(url, 'Link copied')}>
            Copy
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
