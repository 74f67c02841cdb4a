import { FOCUS_SESSIONS_CSV_PATH, FOCUS_SESSIONS_ICS_PATH, readMyData } from '@deeb/core/account/api'
import * as z from 'zod/mini'
import { ApiError, api } from '../api.ts'
import { download } from '../download.ts'
import { IS_NATIVE } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showFailure, withdrawFailures } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'

interface File {
  label: string
  name: string
  type: string
  read(): Promise<string>
}

const FILES: File[] = [
  {
    label: 'All data (JSON)',
    name: 'deeb-my-data.json',
    type: 'application/json',
    read: async () => JSON.stringify(await api(readMyData, {}), null, 2),
  },
  {
    label: 'Sessions for a spreadsheet (CSV)',
    name: 'deeb-sessions.csv',
    type: 'text/csv',
    read: () => readText(FOCUS_SESSIONS_CSV_PATH),
  },
  {
    label: 'Sessions for a calendar (ICS)',
    name: 'deeb-sessions.ics',
    type: 'text/calendar',
    read: () => readText(FOCUS_SESSIONS_ICS_PATH),
  },
]

/** Offers the data of the user as files. It stays open, for more than one. */
export function DownloadDialog({ onClose }: { onClose: () => void }) {
  const [busy, run, failure] = useBusy()
  function close(): void {
    withdrawFailures()
    onClose()
  }
  return (
    <Dialog
      dismissal="dismissible"
      title="Download my data"
      description="Everything that deeb keeps about you, or all ended sessions alone."
      onDismiss={close}
    >
      <div className="mt-5 flex flex-col gap-3">
        {FILES.map((file) => (
          <Button key={file.name} kind="secondary" busy={busy} onClick={() => void run(() => save(file))}>
            {file.label}
          </Button>
        ))}
        <FormError>{failure}</FormError>
        <DialogActions>
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/** The server answers with a text. */
const readText = (path: `/api/${string}`) => api({ ...readMyData, path, output: z.string() }, {})

async function save({ name, type, read }: File): Promise<void> {
  // A native web view cannot download files.
  if (IS_NATIVE) return showFailure('Please open deeb in a browser to download your data.')
  try {
    download(name, await read(), type)
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unavailable'
    if (code === 'download_running') showFailure('A download is already running. Wait until it is done.')
    else if (code === 'too_many_attempts') showFailure('Too many downloads. Wait a while and try again.')
    else showFailure('Your data could not be loaded. Please try again.')
  }
}
