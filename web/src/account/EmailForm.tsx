import * as texts from '@deeb/texts/links'
import * as signInTexts from '@deeb/texts/signIn'
import { TextField } from '../ui/TextField.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { focusFirst } from './AccountPage.tsx'
import { FormEnd } from './FormEnd.tsx'
import { useEmailRequest } from './use-email-request.ts'

interface EmailFormProps {
  action: string
  /** Resolves to whether the email was requested. */
  onSend: (email: string) => Promise<boolean>
  defaultEmail?: string | undefined
  /** Whether a page begins with it. */
  isFirst?: boolean
}

/** A form that requests an email to an address. */
export function EmailForm({ action, onSend, defaultEmail, isFirst }: EmailFormProps) {
  const { request, busy } = useEmailRequest(onSend)
  const { onSubmit, failure } = useSubmit((form) => request(textOf(form, 'email')))
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <TextField
        ref={isFirst ? focusFirst : undefined}
        label={signInTexts.email()}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={defaultEmail}
        required
      />
      <FormEnd busy={busy} failure={failure}>
        {action}
      </FormEnd>
    </form>
  )
}

export function DeadLinkNote() {
  return (
    <p role="alert" className="mb-4 text-body text-soft">
      {texts.linkExpired()}
    </p>
  )
}
