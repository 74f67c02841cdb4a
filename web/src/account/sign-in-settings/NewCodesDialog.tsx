import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/signInSettings'
import './sign-in-settings.css'
import '../../ui/printed-dialog.css'
import { download } from '../../device/download.ts'
import { IS_NATIVE } from '../../device/platform.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { TextButton } from '../../ui/TextLink.tsx'
import { copyText } from '../copy-text.ts'

/** Shows new recovery codes, the only time that anyone can read them. */
export function NewCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const shown = codes.map(grouped)
  const text = `${texts.codesFile({ host: window.location.host })}\n\n${shown.join('\n')}\n`
  return (
    <Dialog dismissal="blocking" title={texts.saveCodes()} description={texts.saveCodesNote()}>
      <ol className="recovery-codes printed" aria-label={texts.codes()}>
        {shown.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p className="mt-3 flex flex-wrap gap-x-6">
        <TextButton onClick={() => void copyText(text, texts.codesCopied())}>{commonTexts.copy()}</TextButton>
        {/* A native web view cannot download or print. */}
        {IS_NATIVE ? null : (
          <>
            <TextButton onClick={() => download(texts.codesFileName(), text, 'text/plain')}>
              {texts.downloadCodes()}
            </TextButton>
            <TextButton onClick={() => window.print()}>{texts.printCodes()}</TextButton>
          </>
        )}
      </p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {texts.savedCodes()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** `abcd efgh jkmn pqrs`, as the server accepts it too. */
function grouped(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$& ')
}
