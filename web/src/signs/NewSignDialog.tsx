import type { SignCircle } from '@deeb/core/signs/api'
import { MAX_LABEL_LENGTH } from '@deeb/core/signs/sign'
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
    setWrong(label ? undefined : 'Say where it hangs.')
    return label !== '' && onCreate({ label, showsName, showsUntil, ...(circle && { circleId: circle.circleId }) })
  }
  return (
    <FormDialog
      title={circle ? `Make a sign of ${circle.name}` : 'Make a sign'}
      description={
        circle
          ? 'It starts empty. Each member finds it in Settings and decides for themselves. It ends when you leave the circle.'
          : 'It shows whether you are in deeb mode to everybody who passes by, and to anyone who has its link.'
      }
      action="Make sign"
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Where it hangs"
        name="label"
        hint="Such as Office. Not shown on the sign."
        autoComplete="off"
        maxLength={MAX_LABEL_LENGTH}
        error={wrong}
      />
      {circle ? null : (
        <div>
          <SwitchRow label="Show my name" checked={showsName} onChange={setShowsName} />
          <SwitchRow label="Show since when and until when" checked={showsUntil} onChange={setShowsUntil} />
        </div>
      )}
    </FormDialog>
  )
}
