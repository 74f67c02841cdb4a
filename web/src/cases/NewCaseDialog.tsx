import './new-case.css'
import '../ui/printed-dialog.css'
import * as texts from '@deeb/texts/cases'
import * as commonTexts from '@deeb/texts/common'
import { useEffect, useState } from 'react'
import { copyText } from '../account/copy-text.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { canWriteTags, writeTag } from './write-tag.ts'

/** Shows a new code, the only time that anyone can read it: to print, to write on a tag, or to copy. */
export function NewCaseDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const { isWaiting, write } = useTag(link)
  return (
    <Dialog dismissal="blocking" title={texts.newCode()} description={texts.newCodeNote()}>
      <div className="printed">
        <div className="case-label">
          <QrCode text={link} label={texts.codeLabel()} />
          <p className="text-note">{texts.scanHelp()}</p>
        </div>
        <p className="mt-2 text-note text-soft">{texts.stickHelp()}</p>
      </div>
      <p className="mt-3 flex flex-wrap gap-x-6">
        {canWriteTags() ? <TextButton onClick={() => void write()}>{texts.writeTag()}</TextButton> : null}
        <TextButton onClick={() => void copyText(link, texts.linkCopied())}>{texts.copyLink()}</TextButton>
      </p>
      <p role="status" className="mt-2 text-note text-soft">
        {isWaiting ? texts.holdTag() : texts.writeItYourself()}
      </p>
      <DialogActions>
        {/* A native web view cannot print. */}
        {IS_NATIVE ? null : (
          <Button kind="primary" onClick={() => window.print()}>
            {texts.print()}
          </Button>
        )}
        <Button kind={IS_NATIVE ? 'primary' : 'secondary'} onClick={onClose}>
          {commonTexts.done()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Writes tags while the dialog is open. */
function useTag(link: string): { isWaiting: boolean; write: () => Promise<void> } {
  const [waiting, setWaiting] = useState<AbortController>()
  useEffect(() => () => waiting?.abort(), [waiting])
  async function write(): Promise<void> {
    const attempt = new AbortController()
    setWaiting(attempt)
    try {
      await writeTag(link, attempt.signal)
      showToast({ title: texts.tagWritten(), description: texts.stickTag(), tone: 'success' })
    } catch (error) {
      if (attempt.signal.aborted) return
      const isRefused = error instanceof DOMException && error.name === 'NotAllowedError'
      showFailure(isRefused ? texts.tagRefused() : texts.tagFailed())
    }
    setWaiting(undefined)
  }
  return { isWaiting: waiting !== undefined, write }
}
