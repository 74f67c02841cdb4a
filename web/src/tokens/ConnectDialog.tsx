import { DEFAULT_DAYS, MAX_NAME_LENGTH } from '@deeb/core/tokens/api'
import { SCOPES, type Scope } from '@deeb/core/tokens/scopes'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { textOf } from '../ui/use-submit.ts'
import { SCOPE_TEXTS } from './scope-texts.ts'

const EXPIRIES: [number, string][] = [
  [30, '30 days'],
  [DEFAULT_DAYS, '1 year'],
  [2 * DEFAULT_DAYS, '2 years'],
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
      ...(name === '' && { name: 'Give the app a name.' }),
      ...(scopes.length === 0 && { scopes: 'Choose what it may do.' }),
    })
    return isComplete && onConnect({ name, scopes, days: Number(textOf(form, 'days')) })
  }
  return (
    <FormDialog
      title="Connect an app"
      description="The app gets a token. Everyone who has it can do what you allow here, from anywhere."
      action="Create token"
      onSubmit={connect}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        placeholder="Desk light"
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        error={wrong.name}
      />
      <fieldset aria-describedby={wrong.scopes ? 'scopes-wrong' : undefined}>
        <legend className="text-label">It may</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className="flex min-h-11 items-center gap-x-3 text-body">
            <input type="checkbox" name={scope} className="size-5 flex-none accent-ink" />
            {SCOPE_TEXTS[scope]}
          </label>
        ))}
        {wrong.scopes ? (
          <p id="scopes-wrong" role="alert" className="text-note text-destructive">
            {wrong.scopes}
          </p>
        ) : null}
      </fieldset>
      <fieldset>
        <legend className="text-label">For</legend>
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
              {label}
            </label>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  )
}
