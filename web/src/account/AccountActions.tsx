import { readMyData } from '@deeb/core/account/api'
import { useEffect, useState } from 'react'
import { ApiError, api } from '../api.ts'
import { download } from '../download.ts'
import { clearOpensChangeEmail, opensChangeEmail } from '../history.ts'
import { IS_NATIVE } from '../platform.ts'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'

type Open = 'email' | 'delete' | null

/** The buttons of Settings that change, download or delete the account, with their dialogs. */
export function AccountActions() {
  const [open, setOpen] = useState<Open>(() => (opensChangeEmail() ? 'email' : null))
  useEffect(clearOpensChangeEmail, [])
  const close = () => setOpen(null)
  const [busy, run, failure] = useBusy()
  return (
    <>
      <div className="mt-2 grid justify-items-start gap-x-6 min-[22.5rem]:grid-cols-[auto_auto] min-[22.5rem]:justify-between min-[22.5rem]:*:even:justify-self-end">
        <TextButton onClick={() => setOpen('email')}>Change email</TextButton>
        <TextButton onClick={() => void run(downloadMyData)} aria-busy={busy}>
          Download my data
        </TextButton>
        <TextButton tone="destructive" onClick={() => setOpen('delete')}>
          Delete account
        </TextButton>
      </div>
      <FormError>{failure}</FormError>
      {open === 'email' ? <ChangeEmailDialog onClose={close} /> : null}
      {open === 'delete' ? <DeleteAccountDialog onClose={close} /> : null}
    </>
  )
}

async function downloadMyData(): Promise<void> {
  // A native web view cannot download files.
  if (IS_NATIVE) return showFailure('Please open deeb in a browser to download your data.')
  try {
    const data = await api(readMyData, {})
    download('deeb-my-data.json', JSON.stringify(data, null, 2), 'application/json')
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unavailable'
    if (code === 'download_running') showFailure('A download is already running. Wait until it is done.')
    else if (code === 'too_many_attempts') showFailure('Too many downloads. Wait a while and try again.')
    else showFailure('Your data could not be loaded. Please try again.')
  }
}
