import * as texts from '@deeb/texts/settings'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useUpdateUsername } from './account-queries.ts'
import { UsernameField } from './UsernameField.tsx'
import { showUsernameFailure } from './username-failure.ts'

/** A form to change the user's username. */
export function UsernameForm({ username }: { username: string }) {
  const update = useUpdateUsername()
  const [busy, run, failure] = useBusy()
  /** The unsaved input. Null while the field shows the saved username. */
  const [draft, setDraft] = useState<string | null>(null)
  const typed = (draft ?? username).trim()
  const canSave = typed !== '' && typed !== username

  async function save(): Promise<void> {
    if (!canSave) return
    await update.mutateAsync(typed).then(
      () => {
        setDraft(null)
        showToast({ title: texts.usernameUpdated(), tone: 'success' })
      },
      (error: Error) => showUsernameFailure(error, texts.usernameNotUpdated()),
    )
  }

  return (
    <form
      noValidate
      className="pt-3 pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        void run(save)
      }}
    >
      <UsernameField
        value={draft ?? username}
        onChange={(typed) => {
          setDraft(typed)
          if (update.isError) update.reset()
        }}
        failure={update.error}
      />
      <FormError>{failure}</FormError>
      <div className="mt-1.5">
        {canSave ? (
          <Button kind="primary" size="list" type="submit" busy={busy}>
            {busy ? texts.updating() : texts.updateUsername()}
          </Button>
        ) : (
          // Quiet until there is something to save.
          <button type="submit" disabled className="min-h-6 text-note text-soft">
            {texts.updateUsername()}
          </button>
        )}
      </div>
    </form>
  )
}
