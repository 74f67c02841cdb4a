import * as texts from '@deeb/texts/settings'
import { useEffect, useState } from 'react'
import { clearOpensChangeEmail, opensChangeEmail } from '../device/history.ts'
import { TextButton } from '../ui/TextLink.tsx'
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { DownloadDialog } from './DownloadDialog.tsx'

type Open = 'email' | 'download' | 'delete' | null

/** The buttons of Settings that change, download or delete the account, with their dialogs. */
export function AccountActions() {
  const [open, setOpen] = useState<Open>(() => (opensChangeEmail() ? 'email' : null))
  useEffect(clearOpensChangeEmail, [])
  const close = () => setOpen(null)
  return (
    <>
      <div className="mt-2 grid justify-items-start gap-x-6 min-[22.5rem]:grid-cols-[auto_auto] min-[22.5rem]:justify-between min-[22.5rem]:*:even:justify-self-end">
        <TextButton onClick={() => setOpen('email')}>{texts.changeEmail()}</TextButton>
        <TextButton onClick={() => setOpen('download')}>{texts.download()}</TextButton>
        <TextButton tone="destructive" onClick={() => setOpen('delete')}>
          {texts.deleteAccount()}
        </TextButton>
      </div>
      {open === 'email' ? <ChangeEmailDialog onClose={close} /> : null}
      {open === 'download' ? <DownloadDialog onClose={close} /> : null}
      {open === 'delete' ? <DeleteAccountDialog onClose={close} /> : null}
    </>
  )
}
