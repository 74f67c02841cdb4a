import * as texts from '@deeb/texts/settings'
import * as signInTexts from '@deeb/texts/signIn'
import { useEffect, useState } from 'react'
import { clearOpensChangeEmail, opensChangeEmail } from '../../device/history.ts'
import { useHome } from '../../focus/day-queries.ts'
import { Button } from '../../ui/Button.tsx'
import { BreakableEmail } from '../../ui/PersonRow.tsx'
import { ChangeEmailDialog } from '../ChangeEmailDialog.tsx'
import { Section } from './Section.tsx'

/** The email address, and its change. */
export function EmailSection() {
  const email = useHome().data?.profile.email
  const [isOpen, setIsOpen] = useState(opensChangeEmail)
  useEffect(clearOpensChangeEmail, [])
  return (
    <Section
      title={signInTexts.email()}
      note={email ? <BreakableEmail email={email} /> : undefined}
      action={
        <Button kind="secondary" size="list" onClick={() => setIsOpen(true)}>
          {texts.changeEmail()}
        </Button>
      }
    >
      {isOpen ? <ChangeEmailDialog onClose={() => setIsOpen(false)} /> : null}
    </Section>
  )
}
