import { signLink } from '@deeb/core/signs/sign'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/signs'
import { copyText } from '../account/copy-text.ts'
import { SERVER } from '../device/platform.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { TextButton } from '../ui/TextLink.tsx'

/** Shows the link of a new sign, the only time that anyone can read it. */
export function SignLinkDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const link = signLink(SERVER || window.location.origin, token)
  return (
    <Dialog dismissal="blocking" title={texts.linkTitle()} description={texts.linkNote()}>
      <div className="mt-4">
        <QrCode text={link} label={texts.qrCode()} />
        <p className="mt-3 text-note text-soft wrap-anywhere">{link}</p>
        <TextButton onClick={() => void copyText(link, texts.linkCopied())}>{texts.copyLink()}</TextButton>
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {commonTexts.done()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
