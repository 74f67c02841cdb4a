import { digitsOf } from '@deeb/core/account/code'
import * as texts from '@deeb/texts/links'
import * as otherWaysTexts from '@deeb/texts/otherWays'
import * as signInTexts from '@deeb/texts/signIn'
import { type InputEvent, useState } from 'react'
import { isAuthApiError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'
import { TextField } from '../ui/TextField.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'
import { FormEnd } from './FormEnd.tsx'

/** Errors that are about the code. The server's text says what to do. */
const ABOUT_CODE = new Set(['mfa_verification_failed', 'mfa_verification_rejected', 'over_request_rate_limit'])

/** Asks for a code of the authenticator app, or for a recovery code. A right one raises the level of the auth session. */
export function SecondFactorForm({ onDone }: { onDone?: () => Promise<void> }) {
  const [kind, setKind] = useState<'app' | 'recovery'>('app')
  const [wrong, setWrong] = useState<string>()
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setWrong(undefined)
    const code = textOf(form, 'code')
    try {
      const error = await (kind === 'app' ? verifyAppCode(digitsOf(code)) : verifyRecoveryCode(code))
      if (!error) await onDone?.()
      else if (isAuthApiError(error) && ABOUT_CODE.has(String(error.code))) setWrong(error.message)
      else showAuthFailure(otherWaysTexts.codeNotAccepted(), error)
    } catch {
      showUnexpected()
    }
  })
  return (
    <form key={kind} onSubmit={onSubmit} className="flex flex-col gap-4">
      {kind === 'app' ? (
        <TextField
          label={texts.code()}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={texts.codeHint()}
          error={wrong}
          onInput={submitSixDigits}
          required
        />
      ) : (
        <TextField
          label={texts.recoveryCode()}
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={texts.recoveryCodeHint()}
          error={wrong}
          required
        />
      )}
      <FormEnd busy={busy} failure={failure}>
        {busy ? texts.checking() : signInTexts.next()}
      </FormEnd>
      <p>
        <TextButton
          tone="soft"
          onClick={() => {
            setWrong(undefined)
            setKind(kind === 'app' ? 'recovery' : 'app')
          }}
        >
          {kind === 'app' ? texts.byRecoveryCode() : texts.byApp()}
        </TextButton>
      </p>
    </form>
  )
}

/** Six digits are complete: nobody has to press a button. */
function submitSixDigits({ currentTarget }: InputEvent<HTMLInputElement>): void {
  if (digitsOf(currentTarget.value).length === 6) currentTarget.form?.requestSubmit()
}

async function verifyAppCode(code: string): Promise<Error | null> {
  const { data, error } = await (await authClient()).mfa.listFactors()
  if (error) return error
  // Another device has removed the app: the refreshed auth session needs no code.
  const [app] = data.totp
  if (!app) return (await (await authClient()).refreshSession()).error
  return (await (await authClient()).mfa.challengeAndVerify({ factorId: app.id, code })).error
}

async function verifyRecoveryCode(code: string): Promise<Error | null> {
  return (await (await authClient()).mfa.recoveryCodes.verify({ code })).error
}
