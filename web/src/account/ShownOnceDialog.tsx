import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/settings'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { copyText } from './copy-text.ts'

interface ShownOnceProps {
  title: string
  description: string
  /** The name of the value: `Link`. */
  label: string
  value: string
  onClose: () => void
  /** The content below the field. */
  children?: ReactNode
}

/** Shows a link or a secret, the only time that anyone can read it. */
export function ShownOnceDialog({ title, description, label, value, onClose, children }: ShownOnceProps) {
  return (
    <Dialog dismissal="blocking" title={title} description={texts.copyNow({ description })}>
      <div className="mt-5 flex flex-col gap-4">
        <TextField label={label} value={value} readOnly onFocus={(event) => event.currentTarget.select()} />
        {children}
        <DialogActions>
          <Button kind="secondary" onClick={onClose}>
            {commonTexts.done()}
          </Button>
          <Button kind="primary" onClick={() => void copyText(value, texts.isCopied({ label }))}>
            {commonTexts.copy()}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
