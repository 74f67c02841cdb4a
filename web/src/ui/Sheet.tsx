import './sheet.css'
import * as texts from '@deeb/texts/common'
import { type ReactNode, useId, useRef } from 'react'
import { Close } from './icons.tsx'
import { useModal } from './use-modal.ts'

type SheetProps = { title: string; onDismiss: () => void; children: ReactNode }

/** A bottom sheet, on wide screens a dialog. Open while it is rendered. */
export function Sheet({ title, onDismiss, children }: SheetProps) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useModal(ref, onDismiss)
  return (
    <dialog ref={ref} aria-labelledby={id} closedby="any" className="sheet">
      <div className="sheet-content">
        <div className="sheet-grip" aria-hidden="true" />
        <div className="sticky top-0 flex items-center justify-between gap-4 bg-surface">
          <h2 id={id} className="text-heading">
            {title}
          </h2>
          <button
            type="button"
            aria-label={texts.close()}
            onClick={onDismiss}
            className="-me-[11px] grid size-11 flex-none place-items-center rounded-full text-soft"
          >
            <Close size={24} strokeWidth={1.75} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
