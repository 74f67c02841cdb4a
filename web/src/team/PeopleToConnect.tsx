import { shownName } from '@deeb/core/account/display-name'
import type { Connection } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { matching } from './matching.ts'
import { TeamEmpty } from './TeamEmpty.tsx'
import { TeamInvite } from './TeamInvite.tsx'
import { useRequestConnection, useSearch } from './team-queries.ts'

const TYPING_PAUSE_MS = 200

/**
 * The people who were requested since the query changed, and the order in which people were shown. The search leaves them out
 * from then on, but rows must not move or vanish under the finger.
 */
interface Remembered {
  query: string
  order: Person[]
  requested: Person[]
}

const NOBODY: Remembered = { query: '', order: [], requested: [] }

/** Search results: colleagues who match the query, each with a button to request a connection. */
export function PeopleToConnect({ query, connections }: { query: string; connections: Connection[] }) {
  const debounced = useDebounced(query, TYPING_PAUSE_MS)
  const { data, isError, isPlaceholderData, refetch } = useSearch(debounced)
  const [remembered, setRemembered] = useState(NOBODY)
  const { order, requested } = remembered.query === debounced ? remembered : NOBODY
  const found = data?.people ?? []
  const foundOf = ({ id }: Person) => found.find((person) => person.id === id)
  const isConnected = ({ id }: Person) => connections.some(({ person }) => person.id === id)
  const people = [
    ...order.flatMap((person) => foundOf(person) ?? (requested.includes(person) && !isConnected(person) ? person : [])),
    ...found.filter((person) => order.every(({ id }) => id !== person.id)),
  ]
  const remember = (person: Person) =>
    setRemembered((before) => {
      const { order, requested } = before.query === debounced ? before : { order: people, requested: [] }
      return {
        query: debounced,
        order: order.map((other) => (other.id === person.id ? person : other)),
        requested: [...requested, person],
      }
    })
  const isSettled = debounced === query && !isPlaceholderData
  const isNobody = isSettled && data && people.length === 0 && matching(connections, query).length === 0
  return (
    <section className="mt-6">
      {people.length > 0 || isError ? <h2 className="text-label text-soft">People you can connect with:</h2> : null}
      <ul>
        {people.map((person) => (
          <ColleagueRow
            key={person.id}
            person={person}
            isRequested={requested.includes(person)}
            onRequested={() => remember(person)}
          />
        ))}
      </ul>
      {isError ? <TextButton onClick={() => void refetch()}>Try again</TextButton> : null}
      {isNobody ? (
        <>
          <TeamEmpty
            title={`No people found matching "${query}"`}
            hint="Try searching for a different name or email."
          />
          <TeamInvite />
        </>
      ) : null}
      <p role="status" className="sr-only">
        {isSettled && data ? `${people.length} to connect with` : ''}
      </p>
    </section>
  )
}

interface ColleagueRowProps {
  person: Person
  isRequested: boolean
  onRequested: () => void
}

function ColleagueRow({ person, isRequested, onRequested }: ColleagueRowProps) {
  const request = useRequestConnection()
  const [busy, run] = useBusy()
  const name = shownName(person)
  return (
    <li className="border-line not-first:border-t">
      <PersonRow name={name} email={person.email}>
        <Button
          kind="secondary"
          size="list"
          aria-label={isRequested ? `${name}: requested` : `Add ${name}`}
          busy={busy || isRequested}
          onClick={() => void run(() => request.mutateAsync(person).then(onRequested, () => undefined))}
        >
          {isRequested ? 'Requested' : 'Add'}
        </Button>
      </PersonRow>
    </li>
  )
}
