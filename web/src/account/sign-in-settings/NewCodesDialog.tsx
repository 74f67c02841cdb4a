import './sign-in-settings.css'
import { download } from '../../download.ts'
import { IS_NATIVE } from '../../platform.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { TextButton } from '../../ui/TextLink.tsx'
import { copyText } from '../copy-text.ts'

/** Shows new recovery codes, the only time that anyone can read them. */
export function NewCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const shown = codes.map(grouped)
  const text = `Recovery codes for deeb at ${window.location.host}. Each works once.\n\n${shown.join('\n')}\n`
  return (
    <Dialog
      dismissal="blocking"
      title="Save your recovery codes"
      description="Each one signs you in once if you lose your phone. Nobody can show them again."
    >
      <ol className="recovery-codes" aria-label="Recovery codes">
        {shown.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p className="mt-3 flex flex-wrap gap-x-6">
        <TextButton onClick={() => void copyText(text, 'Codes copied')}>Copy</TextButton>
        {/* A native web view cannot download or print. */}
        {IS_NATIVE ? null : (
          <>
            <TextButton onClick={() => download('deeb-recovery-codes.txt', text, 'text/plain')}>Download</TextButton>
            <TextButton onClick={() => window.print()}>Print</TextButton>
          </>
        )}
      </p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          I saved them
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** `abcd efgh jkmn pqrs`, as the server accepts it too. */
function grouped(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$& ')
}
