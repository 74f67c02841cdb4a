import * as texts from '@deeb/texts/settings'
import { showFailure, showToast } from '../ui/toast.ts'

/** Copies a text, and shows a toast with `done` or that the browser does not allow it. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ title: done, tone: 'success' })
  } catch {
    showFailure(texts.copyYourself())
  }
}
