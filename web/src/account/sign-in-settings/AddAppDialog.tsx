import { digitsOf } from '@deeb/core/account/code'
import * as texts from '@deeb/texts/signInSettings'
import './sign-in-settings.css'
import { useState } from 'react'
import { isAuthApiError } from '../../session/auth-errors.ts'
import { authClient } from '../../session/auth-session.ts'
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
    const code = digitsOf(textOf(form, 'code'))
    try {
      const { error } = await (await authClient()).mfa.challengeAndVerify({ factorId: app.id, code })
      if (!error) await onAdded()
      else if (isAuthApiError(error) && error.code === 'mfa_verification_failed') setWrong(texts.codeWrong())
      else showAuthFailure(texts.appNotAdded(), error)
    } catch {
      showUnexpected()
    }
    return false
  }
  return (
    <FormDialog
      title={texts.addAuthenticator()}
      description={texts.scanNote()}
      action={texts.addApp()}
      onSubmit={verify}
      onClose={onCancel}
    >
      <QrCode text={app.uri} label={texts.qrCode()} />
      <div>
        <p className="text-label text-soft">{texts.orKey()}</p>
        <p className="totp-secret">{app.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</p>
        <p className="flex flex-wrap gap-x-6">
          <TextButton onClick={() => void copyText(app.secret, texts.keyCopied())}>{texts.copyKey()}</TextButton>
          <TextLink href={app.uri}>{texts.openApp()}</TextLink>
        </p>
      </div>
      <TextField
        label={texts.code()}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={texts.codeHint()}
        error={wrong}
        required
      />
    </FormDialog>
  )
}
