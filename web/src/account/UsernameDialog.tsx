import { INVALID_USERNAME } from '@deeb/core/account/username'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useUpdateUsername } from './account-queries.ts'
import { isInvalidUsername, showUsernameFailure } from './username-failure.ts'

/** The first dialog for a new user. It cannot be dismissed without a username. */
export function UsernameDialog() {
  const [username, setUsername] = useState('')
  const update = useUpdateUsername()
  const [busy, run, failure] = useBusy()

  async function save(): Promise<void> {
    if (!username.trim()) return showFailure('Please enter a username to continue.', 'Username required')
    await update.mutateAsync(username).catch((error: Error) => showUsernameFailure(error, 'Failed to set username'))
  }

  return (
    <Dialog
      dismissal="blocking"
      title="Welcome to deeb!"
      description="Let's set up your profile. Choose a username to get started."
    >
      <form
        className="mt-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run(save)
        }}
      >
        <TextField
          label="Username"
          name="username"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="nickname"
          maxLength={80}
          error={isInvalidUsername(update.error) ? INVALID_USERNAME : undefined}
        />
        <FormError>{failure}</FormError>
        <DialogActions>
          {/* Not a submit button: while it is disabled, Enter in the field would do nothing. */}
          <Button kind="primary" onClick={() => void run(save)} disabled={!username.trim()} busy={busy}>
            {busy ? 'Setting up...' : 'Continue'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
