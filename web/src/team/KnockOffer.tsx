import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/knocks'
import { useId, useRef, useState } from 'react'
import { allowPushOnce } from '../push/push.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { Button } from '../ui/Button.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useKnock, useKnocks } from './knock-queries.ts'
import { knockText } from './knock-text.ts'
import { shortName } from './members.ts'

/** Focuses an element that takes the place of a pressed one. */
const focus = (element: HTMLElement | null) => element?.focus()

interface KnockOfferProps {
  person: Person
  inDeebMode: boolean
}

/** For somebody in deeb mode who lets the user interrupt: a press says what it does, the next one does it. */
export function KnockOffer({ person, inDeebMode }: KnockOfferProps) {
  const ownId = useSignedInUserId() ?? ''
  const knocks = useKnocks()
  const { mutate } = useKnock()
  const [isAsking, setIsAsking] = useState(false)
  const noteId = useId()
  const state = useRef<HTMLParagraphElement>(null)
  const name = shortName(person)
  const sent = knocks?.sent.find(({ userId }) => userId === person.id)
  const mayKnock = inDeebMode && !sent && knocks?.mayKnock.includes(person.id)

  // Once it is offered again, nothing was asked.
  if (isAsking && !mayKnock) setIsAsking(false)

  function send(): void {
    setIsAsking(false)
    mutate(person)
    // The pressed button goes.
    state.current?.focus()
    // Without push messages, the open app tells the answer.
    allowPushOnce(ownId).catch(() => undefined)
  }
  return (
    <>
      {!mayKnock ? null : isAsking ? (
        <div className="mt-2">
          <p id={noteId} className="text-body text-pretty">
            {texts.willBeInterrupted({ name })}
          </p>
          <p className="mt-2">
            <Button ref={focus} kind="secondary" size="list" aria-describedby={noteId} onClick={send}>
              {texts.interrupt({ name })}
            </Button>
          </p>
        </div>
      ) : (
        <TextButton onClick={() => setIsAsking(true)}>{texts.cantWait()}</TextButton>
      )}
      <p ref={state} role="status" tabIndex={-1} className="text-body text-soft outline-none">
        {sent ? knockText(name, sent.answer) : null}
      </p>
    </>
  )
}
