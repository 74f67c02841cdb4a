import { signLink } from '@deeb/core/signs/sign'
import { copyText } from '../account/copy-text.ts'
import { SERVER } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { TextButton } from '../ui/TextLink.tsx'

/** Shows the link of a new sign, the only time that anyone can read it. */
export function SignLinkDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const link = signLink(SERVER || window.location.origin, token)
  return (
    <Dialog
      dismissal="blocking"
      title="Open this on your display"
      description="Scan it with the tablet or phone that will show it, or copy the link. It is shown only now: keep it as a bookmark there, and give it to nobody."
    >
      <div className="mt-4">
        <QrCode text={link} label="QR code of the link of your sign" />
        <p className="mt-3 text-note text-soft wrap-anywhere">{link}</p>
        <TextButton onClick={() => void copyText(link, 'Link copied')}>Copy link</TextButton>
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
