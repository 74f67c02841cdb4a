import type { SignCircle } from '@deeb/core/signs/api'
import { MAX_LABEL_LENGTH } from '@deeb/core/signs/sign'
import * as texts from '@deeb/texts/signs'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { TextField } from '../ui/TextField.tsx'
import { textOf } from '../ui/use-submit.ts'

interface NewSign {
  label: string
  circleId?: string
  showsName: boolean
  showsUntil: boolean
}

interface NewSignDialogProps {
  /** Undefined for a sign of the user alone. */
  circle: SignCircle | undefined
  /** Resolves to whether it was created. */
  onCreate: (sign: NewSign) => Promise<boolean>
  onClose: () => void
}

/** Asks where a new sign hangs, and what it shows. */
export function NewSignDialog({ circle, onCreate, onClose }: NewSignDialogProps) {
  const [showsName, setShowsName] = useState(false)
  const [showsUntil, setShowsUntil] = useState(false)
  const [wrong, setWrong] = useState<string>()
  async function save(form: FormData): Promise<boolean> {
    const label = textOf(form, 'label').trim()
    setWrong(label ? undefined : texts.whereMissing())
    return label !== '' && onCreate({ label, showsName, showsUntil, ...(circle && { circleId: circle.circleId }) })
  }
  return (
    <FormDialog
      title={circle ? texts.makeSignOf({ name: circle.name }) : texts.makeSign()}
      description={circle ? texts.circleSignNote() : texts.ownSignNote()}
      action={texts.makeSignAction()}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={texts.whereItHangs()}
        name="label"
        hint={texts.whereItHangsHint()}
        autoComplete="off"
        maxLength={MAX_LABEL_LENGTH}
        error={wrong}
      />
      {circle ? null : (
        <div>
          <SwitchRow label={texts.showMyName()} checked={showsName} onChange={setShowsName} />
          <SwitchRow label={texts.showTimes()} checked={showsUntil} onChange={setShowsUntil} />
        </div>
      )}
    </FormDialog>
  )
}
