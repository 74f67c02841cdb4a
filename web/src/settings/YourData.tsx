import * as texts from '@deeb/texts/settings'
import { useState } from 'react'
import { DeleteAccountDialog } from '../account/DeleteAccountDialog.tsx'
import { DownloadDialog } from '../account/DownloadDialog.tsx'
import { Button } from '../ui/Button.tsx'

/** Everything about the user, to take or to delete. */
export default function YourData() {
  const [open, setOpen] = useState<'download' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <p className="pt-4 text-body text-pretty text-soft">{texts.yourDataIntro()}</p>
      <div className="grid gap-3 pt-5">
        <Button kind="secondary" onClick={() => setOpen('download')}>
          {texts.download()}
        </Button>
        <Button kind="destructive" onClick={() => setOpen('delete')}>
          {texts.deleteAccount()}
        </Button>
      </div>
      {open === 'download' ? <DownloadDialog onClose={close} /> : null}
      {open === 'delete' ? <DeleteAccountDialog onClose={close} /> : null}
    </>
  )
}
