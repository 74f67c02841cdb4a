import { MAX_INTERRUPTIONS } from '@deeb/core/focus/session'
import type { EndedSession } from '@deeb/core/sessions/read-api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/sessions'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { TimeField } from './TimeField.tsx'
import { useCorrection } from './use-correction.ts'
import { useDeletion } from './use-deletion.ts'

/** A form to correct the times and the interruptions of an ended focus session, and a button to delete it. */
export function SessionForm({ session, onDone }: { session: EndedSession; onDone: () => void }) {
  const { start, end, interruptions, change, errors, busy: isSaving, failure, save } = useCorrection(session, onDone)
  const { busy: isDeleting, failure: deletionFailure, remove } = useDeletion(session, onDone)
  const busy = isSaving || isDeleting
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TimeField label={texts.start()} value={start} onChange={(start) => change({ start })} error={errors.start} />
      <TimeField label={texts.end()} value={end} onChange={(end) => change({ end })} error={errors.end} />
      <NumberField
        label={texts.interruptions()}
        value={interruptions}
        onChange={(interruptions) => change({ interruptions })}
        min={0}
        max={MAX_INTERRUPTIONS}
      />
      <div>
        <FormError>{failure ?? deletionFailure}</FormError>
        <div className="grid grid-cols-2 gap-3">
          {/* A press of a key is a click without a pointer. */}
          <Button kind="destructive" onClick={({ detail }) => void remove(detail === 0)} busy={busy}>
            {isDeleting ? texts.deleting() : texts.deleteSession()}
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {isSaving ? commonTexts.saving() : commonTexts.save()}
          </Button>
        </div>
      </div>
    </form>
  )
}
