import { APP_PATHS } from '@deeb/core/paths'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { type ComponentProps, useState } from 'react'
import { useSearch } from 'wouter'
import { useIsSilent } from '../calls/use-is-silent.ts'
import { goUp } from '../device/history.ts'
import { store } from '../device/store.ts'
import { useHome } from '../focus/day-queries.ts'
import { AsOf } from '../frame/AsOf.tsx'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { FloatingButton } from '../ui/FloatingButton.tsx'
import { AddPersonIcon } from '../ui/icons.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { useLoadFailure } from '../ui/use-load-failure.ts'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { membersOf } from './members.ts'
import { PeopleToConnect } from './PeopleToConnect.tsx'
import { RequestsSheet } from './RequestsSheet.tsx'
import { Suggestions } from './Suggestions.tsx'
import { NoCompany } from './TeamEmpty.tsx'
import { TeamInvite } from './TeamInvite.tsx'
import { TeamList, type View } from './TeamList.tsx'
import type { ShownTeam } from './team-cache.ts'
import { usePeople, useTeam } from './team-queries.ts'
import { WallHeadline } from './Wall.tsx'
import { WallDisplay } from './WallDisplay.tsx'
import { isWallDisplay } from './wall-display-path.ts'
import './team.css'

/** With this many people in the team, colleagues are no longer suggested. */
const ENOUGH_MEMBERS = 5

/** The variant `wide` of tokens.css. */
const TWO_COLUMNS = '(min-width: 64rem), (max-height: 499px) and (min-width: 35rem)'

export default onboarded(TeamScreen)

function TeamScreen() {
  const read = useTeam()
  const { data: team } = read
  useLoadFailure(read, texts.loadFailed())
  const isDisplay = isWallDisplay(useSearch())
  if (isDisplay && team) return <WallDisplay team={team} read={read} onLeave={() => goUp(APP_PATHS.team)} />
  return <TeamInFrame team={team} read={read} />
}

function TeamInFrame({ team, read }: TeamViewProps) {
  const { isError, refetch } = read
  const isSilent = useIsSilent()
  const [view, choose] = useView()
  const { data: home } = useHome()
  const isAlone = home?.profile.companyDomain === null
  const [isAnswering, setIsAnswering] = useState(false)
  return (
    <FocusFrame title={commonTexts.team()} focus={team}>
      {!team && isError && !isAlone ? (
        <LoadFailure title={texts.teamFailed()} onRetry={() => void refetch()} />
      ) : (
        <main className={`team flex-1 pb-24 ${!isAlone && view === 'list' ? 'columns' : 'column wide:frame'}`}>
          <ScreenHeading className="sr-only">{commonTexts.team()}</ScreenHeading>
          {isSilent && !isAlone ? <p className="text-label text-soft">{texts.changesArriveLate()}</p> : null}
          {isAlone ? <NoCompany /> : <TeamView team={team} view={view} onView={choose} read={read} />}
        </main>
      )}
      {isAlone ? null : (
        <FloatingButton
          label={texts.connectionRequests()}
          icon={AddPersonIcon}
          count={team?.requests.length ?? 0}
          onClick={() => setIsAnswering(true)}
        />
      )}
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
  team: ShownTeam | undefined
  read: ComponentProps<typeof AsOf>['read']
}

const VIEW_KEY = 'deeb.team-view'

/** The view that this browser's user has chosen. */
function useView(): [View, (view: View) => void] {
  const [view, setView] = useState<View>(() => (localStorage.getItem(VIEW_KEY) === 'list' ? 'list' : 'wall'))
  function choose(view: View): void {
    store('localStorage', VIEW_KEY, view)
    setView(view)
  }
  return [view, choose]
}

/** The team, and people to connect with: beside its list in two columns, else below it, if the user has few connections. */
function TeamView({ team, view, onView, read }: TeamViewProps & { view: View; onView: (view: View) => void }) {
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const isWide = useMediaQuery(TWO_COLUMNS) && view === 'list'
  const members = team ? membersOf(team) : []
  const isSuggesting = team !== undefined && (isWide || members.length < ENOUGH_MEMBERS)
  const people = usePeople({ enabled: isSuggesting })
  return (
    <>
      <div className="team-top">
        {members.length > 0 && query === '' && team?.asOf === null ? <WallHeadline members={members} /> : null}
        <div className="team-search">
          <SearchField label={texts.searchMembers()} value={typed} onChange={setTyped} />
        </div>
      </div>
      <div>
        {!team ? (
          <p role="status" className="skeleton py-6 text-body text-soft">
            {texts.loadingTeam()}
          </p>
        ) : null}
        <div className="mt-3 empty:hidden">
          <AsOf asOf={team?.asOf ?? null} note={texts.presenceUnknown()} read={read} />
        </div>
        {team ? <TeamList team={team} query={query} view={view} onView={onView} /> : null}
        {team && query !== '' ? <PeopleToConnect query={query} team={team} /> : null}
      </div>
      {/* It keeps who was asked: from the team as it is, not as it was seen last. */}
      {isSuggesting && query === '' ? <Suggestions key={`${team.asOf === null}`} team={team} read={people} /> : null}
      {isWide && query !== '' ? (
        <div className="mt-3">
          <TeamInvite />
        </div>
      ) : null}
    </>
  )
}
