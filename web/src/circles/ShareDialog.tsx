import './share.css'
import * as texts from '@deeb/texts/circles'
import * as commonTexts from '@deeb/texts/common'
import { useId, useRef } from 'react'
import { copyLink } from '../team/copy-link.ts'
import { Button } from '../ui/Button.tsx'
import { Close } from '../ui/icons.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { useModal } from '../ui/use-modal.ts'

interface ShareDialogProps {
  /** The name of the circle. */
  name: string
  /** How many people are in it. */
  size: number
  link: string
  onClose: () => void
}

/** The QR code of a circle over the whole window, so that phones read it from a wall. White in focus mode too. */
export default function ShareDialog({ name, size, link, onClose }: ShareDialogProps) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useModal(ref, onClose)
  return (
    <dialog ref={ref} aria-labelledby={id} closedby="closerequest" className="share-screen">
      <div className="share-text">
        <h2 id={id} className="text-title wrap-anywhere">
          {texts.joinCircle({ circle: name })}
        </h2>
        <p className="mt-2 text-body text-pretty text-soft">{texts.scan()}</p>
      </div>
      <div className="share-code">
        <QrCode text={link} label={texts.codeLabel({ circle: name })} />
      </div>
      <div className="share-actions">
        <p role="status" className="mb-3 text-name">
          {texts.inIt({ count: size })}
        </p>
        <Button kind="secondary" size="list" onClick={() => void copyLink(link)}>
          {texts.copyLink()}
        </Button>
      </div>
      <button type="button" aria-label={commonTexts.close()} onClick={onClose} className="share-close">
        <Close size={28} strokeWidth={1.75} />
      </button>
    </dialog>
  )
}
