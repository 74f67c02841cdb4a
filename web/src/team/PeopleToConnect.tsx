import { shownName } from '@deeb/core/account/display-name'
import type { Connection } from '@deeb/core/team/api'
import { Button } from '../ui/Button.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { matching } from './matching.ts'
import { TeamEmpty } from './TeamEmpty.tsx'
import { useRequestConnection } from './team-changes.ts'
import { useSearch } from './team-reads.ts'

const TYPING_PAUSE_MS = 200

/** Colleagues whom the typed text finds, each with the way to ask for a connection. */
export function PeopleToConnect({ query, connections }: { query: string; connections: Connection[] }) {
  const asked = useDebounced(query, TYPING_PAUSE_MS)
  const { data, isError, isPlaceholderData, refetch } = useSearch(asked)
  const ask = useRequestConnection()
  const people = data?.people ?? []
  const isSettled = asked === query && !isPlaceholderData
  const isNobody = isSettled && data && people.length === 0 && matching(connections, query).length === 0
  return (
    <section className="mt-6">
      {people.length > 0 || isError ? <h2 className="text-label text-soft">People you can connect with:</h2> : null}
      <ul>
        {people.map((person) => (
          <li key={person.id} className="border-line not-first:border-t">
            <PersonRow name={shownName(person)} email={person.email}>
              <Button
                kind="secondary"
                size="list"
                aria-label={`Add ${shownName(person)}`}
                busy={ask.isPending && ask.variables.id === person.id}
                onClick={() => ask.mutate(person)}
              >
                Add
              </Button>
            </PersonRow>
          </li>
        ))}
      </ul>
      {isError ? <TextButton onClick={() => void refetch()}>Try again</TextButton> : null}
      {isNobody ? (
        <TeamEmpty title={`No people found matching "${query}"`} hint="Try searching for a different name or email." />
      ) : null}
      <p role="status" className="sr-only">
        {isSettled && data ? `${people.length} to connect with` : ''}
      </p>
    </section>
  )
}
