import { FOCUS_SESSIONS_CSV_PATH, FOCUS_SESSIONS_ICS_PATH, readMyData } from '@deeb/core/account/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/settings'
import * as v from 'valibot'
import { ApiError, api } from '../calls/api.ts'
import { download } from '../device/download.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showFailure, withdrawFailures } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'

interface File {
  label(): string
  name: string
  type: string
  read(): Promise<string>
}

const FILES: File[] = [
  {
    label: texts.allData,
    name: 'deeb-my-data.json',
    type: 'application/json',
    read: async () => JSON.stringify(await api(readMyData, {}), null, 2),
  },
  {
    label: texts.sessionsCsv,
    name: 'deeb-sessions.csv',
    type: 'text/csv',
    read: () => readText(FOCUS_SESSIONS_CSV_PATH),
  },
  {
    label: texts.sessionsIcs,
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
    <Dialog dismissal="dismissible" title={texts.downloadTitle()} description={texts.downloadNote()} onDismiss={close}>
      <div className="mt-5 flex flex-col gap-3">
        {FILES.map((file) => (
          <Button key={file.name} kind="secondary" busy={busy} onClick={() => void run(() => save(file))}>
            {file.label()}
          </Button>
        ))}
        <FormError>{failure}</FormError>
        <DialogActions>
          <Button kind="primary" onClick={close}>
            {commonTexts.done()}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/** The server answers with a text. */
const readText = (path: `/api/${string}`) => api({ ...readMyData, path, output: v.string() }, {})

async function save({ name, type, read }: File): Promise<void> {
  // A native web view cannot download files.
  if (IS_NATIVE) return showFailure(texts.downloadInBrowser())
  try {
    download(name, await read(), type)
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unavailable'
    if (code === 'download_running') showFailure(texts.downloadRunning())
    else if (code === 'too_many_attempts') showFailure(texts.tooManyDownloads())
    else showFailure(texts.downloadFailed())
  }
}
