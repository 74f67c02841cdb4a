import { useState } from 'react'
import { ApiError } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showToast, withdrawFailures } from '../ui/toast.ts'
import { useUpdateUsername } from './account-queries.ts'

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
    update.mutateAsync(username).catch(showUsernameFailure)
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
          error={isInvalid(update.error) ? 'Use 1 to 40 visible characters.' : undefined}
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

function isInvalid(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'invalid_input'
}

function showUsernameFailure(error: Error): void {
  if (isInvalid(error)) return
  if (error instanceof ApiError && error.code === 'username_taken') {
    const description = 'This username is already taken. Please choose another one.'
    showToast({ title: 'Username taken', description, tone: 'destructive' })
  } else {
    showToast({ title: 'Error', description: 'Failed to set username', tone: 'destructive' })
  }
}
