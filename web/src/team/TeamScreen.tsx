import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { useState } from 'react'
import { useIsSilent } from '../calls/use-is-silent.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { FloatingButton } from '../ui/FloatingButton.tsx'
import { AddPersonIcon } from '../ui/icons.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useLoadFailure } from '../ui/use-load-failure.ts'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { membersOf } from './members.ts'
import { PeopleToConnect } from './PeopleToConnect.tsx'
import { RequestsSheet } from './RequestsSheet.tsx'
import { Suggestions } from './Suggestions.tsx'
import { TeamInvite } from './TeamInvite.tsx'
import { TeamList } from './TeamList.tsx'
import type { Team } from './team-cache.ts'
import { usePeople, useTeam } from './team-queries.ts'
import './team.css'

/** With this many people in the team, colleagues are no longer suggested. */
const ENOUGH_MEMBERS = 5

/** The variant `wide` of tokens.css. */
const TWO_COLUMNS = '(min-width: 64rem), (max-height: 499px) and (min-width: 35rem)'

export default onboarded(TeamScreen)

function TeamScreen() {
  const read = useTeam()
  const { data: team, isError, refetch } = read
  useLoadFailure(read, texts.loadFailed())
  const isSilent = useIsSilent()
  const [isAnswering, setIsAnswering] = useState(false)
  return (
    <FocusFrame title={commonTexts.team()} focus={team}>
      {!team && isError ? (
        <LoadFailure title={texts.teamFailed()} onRetry={() => void refetch()} />
      ) : (
        <main className="team columns flex-1 pb-24">
          <ScreenHeading className="sr-only">{commonTexts.team()}</ScreenHeading>
          {isSilent ? <p className="text-label text-soft">{texts.changesArriveLate()}</p> : null}
          <TeamView team={team} hasFailed={isError} onRetry={() => void refetch()} />
        </main>
      )}
      <FloatingButton
        label={texts.connectionRequests()}
        icon={AddPersonIcon}
        count={team?.requests.length ?? 0}
        onClick={() => setIsAnswering(true)}
      />
      {isAnswering ? (
        <RequestsSheet
          team={team}
          hasFailed={isError}
          onRetry={() => void refetch()}
          onClose={() => setIsAnswering(false)}
        />
      ) : null}
    </FocusFrame>
  )
}

interface TeamViewProps {
  team: Team | undefined
  hasFailed: boolean
  onRetry: () => void
}

/** The team, and people to connect with: beside it in two columns, else below it, if the user has few connections. */
function TeamView({ team, hasFailed, onRetry }: TeamViewProps) {
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const isWide = useMediaQuery(TWO_COLUMNS)
  const isSuggesting = team !== undefined && (isWide || membersOf(team).length < ENOUGH_MEMBERS)
  const people = usePeople({ enabled: isSuggesting })
  return (
    <>
      <div>
        <SearchField label={texts.searchMembers()} value={typed} onChange={setTyped} />
        {!team ? (
          <p role="status" className="skeleton py-6 text-body text-soft">
            {texts.loadingTeam()}
          </p>
        ) : null}
        {hasFailed ? <LoadNote onRetry={onRetry} /> : null}
        {team ? <TeamList team={team} query={query} /> : null}
        {team && query !== '' ? <PeopleToConnect query={query} team={team} /> : null}
      </div>
      {isSuggesting && query === '' ? <Suggestions team={team} read={people} /> : null}
      {isWide && query !== '' ? (
        <div className="mt-3">
          <TeamInvite />
        </div>
      ) : null}
    </>
  )
}

function LoadNote({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="mt-6">
      <p className="text-body text-soft">{texts.teamFailedHint()}</p>
      <TextButton onClick={onRetry}>{commonTexts.tryAgain()}</TextButton>
    </div>
  )
}
