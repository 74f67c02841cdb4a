import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showToast, withdrawFailures } from '../ui/toast.ts'
import { useUpdateUsername } from './account-queries.ts'
import { INVALID_USERNAME, isInvalidUsername, showUsernameFailure } from './username-failure.ts'

/** The first thing a new person is asked. It stays until there is a username. */
export function UsernameDialog() {
  const [username, setUsername] = useState('')
  const update = useUpdateUsername()

  function save(): void {
    if (update.isPending) return
    withdrawFailures()
    if (!username.trim()) {
      showToast({
        title: 'Username required',
        description: 'Please enter a username to continue.',
        tone: 'destructive',
      })
      return
    }
    update.mutateAsync(username).catch((error: Error) => showUsernameFailure(error, 'Failed to set username'))
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
          save()
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
        <DialogActions>
          {/* Not a submit button: a disabled one would keep Enter in the field from being answered. */}
          <Button kind="primary" onClick={save} disabled={!username.trim()} busy={update.isPending}>
            {update.isPending ? 'Setting up...' : 'Continue'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
