import { shownName } from '@deeb/core/account/display-name'
import type { SentRequest } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
import { useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useTapGuard } from '../ui/use-tap-guard.ts'
import { useRequestConnection, useTakeBackRequest } from './team-queries.ts'

interface ColleagueListProps {
  /** The accessible name. */
  label: string
  people: Person[]
  /** The requests that the user has sent. */
  sent: SentRequest[]
  /** The element to focus when the last row is gone. */
  otherwise?: string
}

/** Colleagues, each with a button to request a connection, or to take the request back. */
export function ColleagueList({ label, people, sent, otherwise = 'h1' }: ColleagueListProps) {
  const list = useRef<HTMLUListElement>(null)
  const rows = people.map((person) => ({ person, request: sent.find((request) => request.person.id === person.id) }))
  const requested = rows.filter(({ request }) => request !== undefined).length
  useFocusAfterRemoval(list, otherwise)
  // The button that replaces the other one is in the same place: a double tap must not press both.
  useTapGuard(list, requested)
  useTapGuard(list, rows.length - requested)
  return (
    <ul ref={list} aria-label={label}>
      {rows.map(({ person, request }) => (
        <li key={person.id} className="border-line not-first:border-t">
          {request ? <Requested request={request} /> : <NotRequested person={person} />}
        </li>
      ))}
    </ul>
  )
}

function NotRequested({ person }: { person: Person }) {
  const request = useRequestConnection()
  const [busy, run, failure] = useBusy()
  return (
    <>
      <PersonRow name={shownName(person)} email={person.email}>
        <Button
          kind="secondary"
          size="list"
          aria-label={texts.addPerson({ name: shownName(person) })}
          busy={busy}
          onClick={() => void run(() => request.mutateAsync(person).catch(() => undefined))}
        >
          {texts.add()}
        </Button>
      </PersonRow>
      <FormError>{failure}</FormError>
    </>
  )
}

function Requested({ request }: { request: SentRequest }) {
  const takeBack = useTakeBackRequest()
  const [busy, run, failure] = useBusy()
  const { person } = request
  return (
    <>
      <PersonRow name={shownName(person)} email={person.email}>
        <span className="person-request">
          <span className="text-label text-soft">{texts.requested()}</span>
          <TextButton
            aria-label={texts.takeBackFrom({ name: shownName(person) })}
            aria-disabled={busy || undefined}
            onClick={() => void run(() => takeBack.mutateAsync(request).catch(() => undefined))}
          >
            {texts.takeBack()}
          </TextButton>
        </span>
      </PersonRow>
      <FormError>{failure}</FormError>
    </>
  )
}
