import * as texts from '@deeb/texts/team'
import { showFailure, showToast } from '../ui/toast.ts'

/** Copies a link for colleagues, and shows a toast. Where the browser does not allow it, the toast shows the link. */
export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    showToast({ title: texts.linkCopied(), description: texts.sendLink(), tone: 'success' })
  } catch {
    showFailure(texts.copyFailed({ link }))
  }
}
