import * as texts from '@deeb/texts/report'
import { ApiError } from '../calls/api.ts'
import { download } from '../device/download.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { readWeeksCsv } from './report-queries.ts'

/** A button that downloads every counted week of the company. */
export function DownloadWeeks({ domain }: { domain: string }) {
  const [busy, run, failure] = useBusy()
  return (
    <div className="company-download">
      <TextButton onClick={() => void run(() => downloadWeeks(domain))} aria-busy={busy}>
        {texts.downloadCsv()}
      </TextButton>
      <FormError>{failure}</FormError>
    </div>
  )
}

async function downloadWeeks(domain: string): Promise<void> {
  // A native web view cannot download files.
  if (IS_NATIVE) return showFailure(texts.downloadInBrowser())
  try {
    download(`deeb-weeks-${domain}.csv`, await readWeeksCsv(), 'text/csv')
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unavailable'
    if (code === 'too_many_attempts') showFailure(texts.tooManyDownloads())
    else showFailure(texts.weeksNotLoaded())
  }
}
