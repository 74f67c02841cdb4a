import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { TextButton } from '../ui/TextLink.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { ColleagueList } from './ColleagueList.tsx'
import { matching } from './matching.ts'
import { membersOf } from './members.ts'
import { TeamEmpty } from './TeamEmpty.tsx'
import { TeamInvite } from './TeamInvite.tsx'
import type { ShownTeam } from './team-cache.ts'
import { useSearch } from './team-queries.ts'

const TYPING_PAUSE_MS = 200

/** Search results: colleagues who match the query, each with a button to request a connection. */
export function PeopleToConnect({ query, team }: { query: string; team: ShownTeam }) {
  const { connections, sent } = team
  const debounced = useDebounced(query, TYPING_PAUSE_MS)
  const { data, isError, isPlaceholderData, refetch } = useSearch(debounced)
  const isConnected = (id: string) => connections.some(({ person }) => person.id === id)
  const people = (data?.people ?? []).filter(({ id }) => !isConnected(id))
  const isSettled = debounced === query && !isPlaceholderData
  const isNobody = isSettled && data && people.length === 0 && matching(membersOf(team), query).length === 0
  return (
    <section>
      {people.length > 0 || isError ? (
        <h2 className="mt-6 text-label text-soft">{texts.peopleToConnectHeading()}</h2>
      ) : null}
      <ColleagueList label={texts.peopleToConnect()} people={people} sent={sent} />
      {isError ? (
        <>
          <p className="mt-2 text-body text-soft">{texts.searchFailed()}</p>
          {team.asOf === null ? <TextButton onClick={() => void refetch()}>{commonTexts.tryAgain()}</TextButton> : null}
        </>
      ) : null}
      {isNobody ? (
        <>
          <TeamEmpty title={texts.nobodyFound({ query })} hint={texts.nobodyFoundHint()} />
          <div className="text-center wide:hidden">
            <TeamInvite />
          </div>
        </>
      ) : null}
      <p role="status" className="sr-only">
        {isSettled && data ? texts.toConnect({ count: people.length }) : ''}
      </p>
    </section>
  )
}
