import { SCOPES, type Scope } from '@deeb/core/scopes'
import { DEFAULT_DAYS, MAX_NAME_LENGTH } from '@deeb/core/tokens/api'
import * as texts from '@deeb/texts/tokens'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { textOf } from '../ui/use-submit.ts'
import { SCOPE_TEXTS } from './scope-texts.ts'

const EXPIRIES: [number, () => string][] = [
  [30, () => texts.days({ count: 30 })],
  [DEFAULT_DAYS, () => texts.years({ count: 1 })],
  [2 * DEFAULT_DAYS, () => texts.years({ count: 2 })],
]

interface NewApp {
  name: string
  scopes: Scope[]
  days: number
}

interface ConnectDialogProps {
  /** Resolves to whether it was connected. */
  onConnect: (app: NewApp) => Promise<boolean>
  onClose: () => void
}

/** Asks what an app is called, what it may do and for how long. */
export function ConnectDialog({ onConnect, onClose }: ConnectDialogProps) {
  const [wrong, setWrong] = useState<{ name?: string; scopes?: string }>({})
  async function connect(form: FormData): Promise<boolean> {
    const name = textOf(form, 'name').trim()
    const scopes = SCOPES.filter((scope) => form.has(scope))
    const isComplete = name !== '' && scopes.length > 0
    setWrong({
      ...(name === '' && { name: texts.nameMissing() }),
      ...(scopes.length === 0 && { scopes: texts.scopesMissing() }),
    })
    return isComplete && onConnect({ name, scopes, days: Number(textOf(form, 'days')) })
  }
  return (
    <FormDialog
      title={texts.connectApp()}
      description={texts.connectNote()}
      action={texts.createToken()}
      onSubmit={connect}
      onClose={onClose}
    >
      <TextField
        label={texts.name()}
        name="name"
        placeholder={texts.nameExample()}
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        error={wrong.name}
      />
      <fieldset aria-describedby={wrong.scopes ? 'scopes-wrong' : undefined}>
        <legend className="text-label">{texts.itMay()}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className="flex min-h-11 items-center gap-x-3 py-2 text-body">
            <input type="checkbox" name={scope} className="size-5 flex-none accent-ink" />
            {SCOPE_TEXTS[scope]()}
          </label>
        ))}
        {wrong.scopes ? (
          <p id="scopes-wrong" role="alert" className="text-note text-destructive">
            {wrong.scopes}
          </p>
        ) : null}
      </fieldset>
      <fieldset>
        <legend className="text-label">{texts.validFor()}</legend>
        <div className="flex flex-wrap gap-x-6">
          {EXPIRIES.map(([days, label]) => (
            <label key={days} className="flex min-h-11 items-center gap-x-3 text-body">
              <input
                type="radio"
                name="days"
                value={days}
                defaultChecked={days === DEFAULT_DAYS}
                className="size-5 flex-none accent-ink"
              />
              {label()}
            </label>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  )
}
