import './sign-in-settings.css'
import { useState } from 'react'
import { isAuthApiError } from '../../auth-errors.ts'
import { authClient } from '../../auth-session.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextButton, TextLink } from '../../ui/TextLink.tsx'
import { textOf } from '../../ui/use-submit.ts'
import { showAuthFailure, showUnexpected } from '../auth-failure.ts'
import { copyText } from '../copy-text.ts'

/** An authenticator app that has not given its first code yet. */
export interface EnrolledApp {
  id: string
  secret: string
  uri: string
}

interface AddAppDialogProps {
  app: EnrolledApp
  /** Its first code was right. Unmounts the dialog. */
  onAdded: () => Promise<void>
  onCancel: () => void
}

/** Shows the secret of an authenticator app as a QR code and as text, and asks for the first code. */
export function AddAppDialog({ app, onAdded, onCancel }: AddAppDialogProps) {
  const [wrong, setWrong] = useState<string>()
  async function verify(form: FormData): Promise<boolean> {
    setWrong(undefined)
    const code = textOf(form, 'code').replaceAll(/\s/g, '')
    try {
      const { error } = await (await authClient()).mfa.challengeAndVerify({ factorId: app.id, code })
      if (!error) await onAdded()
      else if (isAuthApiError(error) && error.code === 'mfa_verification_failed') setWrong(WRONG)
      else showAuthFailure('App not added', error)
    } catch {
      showUnexpected()
    }
    return false
  }
  return (
    <FormDialog
      title="Add an authenticator app"
      description="Scan this with an app such as Google Authenticator, 1Password or Aegis."
      action="Add app"
      onSubmit={verify}
      onClose={onCancel}
    >
      <QrCode text={app.uri} label="QR code for your authenticator app" />
      <div>
        <p className="text-label text-soft">Or enter this key</p>
        <p className="totp-secret">{app.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</p>
        <p className="flex flex-wrap gap-x-6">
          <TextButton onClick={() => void copyText(app.secret, 'Key copied')}>Copy key</TextButton>
          <TextLink href={app.uri}>Open an app on this device</TextLink>
        </p>
      </div>
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="The six digits that the app shows now."
        error={wrong}
        required
      />
    </FormDialog>
  )
}

const WRONG = 'This code is wrong. Enter the newest code of the app.'
