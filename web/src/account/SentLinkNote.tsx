import * as texts from '@deeb/texts/signIn'
import type { ReactNode } from 'react'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useEmailRequest } from './use-email-request.ts'

interface SentLinkNoteProps {
  email: string
  /** Where the link was sent, and what to do with it. */
  children: ReactNode
  /** Requests the email again. Resolves to whether it was requested. */
  onSend: (email: string) => Promise<boolean>
  onWrongAddress: () => void
}

/** Says where we emailed a link and what to do next, with the two ways on if it does not arrive. */
export default function SentLinkNote({ email, children, onSend, onWrongAddress }: SentLinkNoteProps) {
  const { request, busy, failure } = useEmailRequest(onSend)
  return (
    <section aria-label={texts.whatHappensNext()} className="mb-6 rounded-card border border-edge px-[15px] pt-3 pb-1">
      <p className="text-body text-soft wrap-anywhere">{children}</p>
      <FormError>{failure}</FormError>
      <p className="flex flex-wrap justify-between gap-x-6">
        <TextButton aria-disabled={busy} onClick={() => void request(email)}>
          {texts.sendAgain()}
        </TextButton>
        <TextButton tone="soft" onClick={onWrongAddress}>
          {texts.wrongAddress()}
        </TextButton>
      </p>
    </section>
  )
}
