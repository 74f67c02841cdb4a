import { MAX_USERNAME_CHARACTERS, normalizeUsername } from '@deeb/core/account/username'
import * as texts from '@deeb/texts/circles'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { textOf } from '../ui/use-submit.ts'

interface NameDialogProps {
  title: string
  description: string
  action: string
  /** The current name. */
  name?: string
  /** Resolves to whether it was saved. */
  onSave: (name: string) => Promise<boolean>
  onClose: () => void
}

/** Asks for the name of a circle. The rules are those of usernames. */
export function NameDialog({ name, onSave, ...rest }: NameDialogProps) {
  const [wrong, setWrong] = useState<string>()
  async function save(form: FormData): Promise<boolean> {
    const typed = normalizeUsername(textOf(form, 'name'))
    setWrong(typed === null ? texts.nameRule({ max: MAX_USERNAME_CHARACTERS }) : undefined)
    return typed !== null && onSave(typed)
  }
  return (
    <FormDialog {...rest} onSubmit={save}>
      <TextField
        label={texts.name()}
        name="name"
        defaultValue={name}
        hint={texts.nameHint()}
        autoComplete="off"
        maxLength={80}
        error={wrong}
      />
    </FormDialog>
  )
}
