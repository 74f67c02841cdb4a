import { MAX_USERNAME_CHARACTERS } from '@deeb/core/account/username'
import * as texts from '@deeb/texts/settings'
import * as signInTexts from '@deeb/texts/signIn'
import { useState } from 'react'
import { type Home, useHome } from '../focus/day-queries.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useUpdateUsername } from './account-queries.ts'
import { UsernameField } from './UsernameField.tsx'
import { showUsernameFailure } from './username-failure.ts'

/** The first name, else the address before its `@`, so that one tap is enough. */
function suggestionFor(profile: Home['profile'] | undefined): string {
  const name = profile?.firstName ?? profile?.email.slice(0, profile.email.lastIndexOf('@')) ?? ''
  return [...name].slice(0, MAX_USERNAME_CHARACTERS).join('')
}

/** The first dialog for a new user. It cannot be dismissed without a username. */
export function UsernameDialog() {
  const { data: home } = useHome()
  const [username, setUsername] = useState(() => suggestionFor(home?.profile))
  const update = useUpdateUsername()
  const [busy, run, failure] = useBusy()

  async function save(): Promise<void> {
    if (!username.trim()) return showFailure(texts.enterUsername(), texts.usernameRequired())
    await update.mutateAsync(username).catch((error: Error) => showUsernameFailure(error, texts.usernameNotSet()))
  }

  return (
    <Dialog dismissal="blocking" title={texts.welcome()} description={texts.setUpProfile()}>
      <form
        className="mt-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run(save)
        }}
      >
        <UsernameField value={username} onChange={setUsername} failure={update.error} />
        <FormError>{failure}</FormError>
        <DialogActions>
          {/* Not a submit button: while it is disabled, Enter in the field would do nothing. */}
          <Button kind="primary" onClick={() => void run(save)} disabled={!username.trim()} busy={busy}>
            {busy ? texts.settingUp() : signInTexts.next()}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
