import { showFailure, showToast } from '../ui/toast.ts'

/** Copies a link for colleagues, and shows a toast. Where the browser does not allow it, the toast shows the link. */
export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    showToast({ title: 'Link copied', description: 'Send it to your colleagues.', tone: 'success' })
  } catch {
    showFailure(`The browser does not allow copying. Send this link: ${link}`)
  }
}
