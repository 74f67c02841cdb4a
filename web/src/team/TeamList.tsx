import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/team'
import { useState } from 'react'
import { Link } from 'wouter'
import { enteredFrom } from '../device/history.ts'
import { useHome } from '../focus/day-queries.ts'
import { Button } from '../ui/Button.tsx'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { CircleFilter, useCircleFilter } from './CircleFilter.tsx'
import { MemberList } from './MemberList.tsx'
import { matching } from './matching.ts'
import { listText, membersOf, type TeamCircle } from './members.ts'
import { Newcomers } from './Newcomers.tsx'
import { TeamEmpty } from './TeamEmpty.tsx'
import { InviteSheet } from './TeamInvite.tsx'
import { TeamQuietTimes } from './TeamQuietTimes.tsx'
import type { ShownTeam } from './team-cache.ts'
import { Wall } from './Wall.tsx'

export type View = 'wall' | 'list'

interface TeamListProps {
  team: ShownTeam
  query: string
  view: View
  onView: (view: View) => void
}

/** Everybody whom the user sees, as circles or rows, or the rows of those who match the query; a filter by circle, and newcomers of the circles. */
export function TeamList({ team, query, view, onView }: TeamListProps) {
  const { circles = [] } = team
  const hasCircles = useHasCircles(team)
  const [circleId, choose] = useCircleFilter(circles)
  const members = membersOf(team)
  if (query !== '') return <MemberList members={matching(members, query)} circles={circles} isSearch={true} />
  const circle = circles.find(({ id }) => id === circleId)
  const shown = circle ? members.filter(({ circleIds }) => circleIds.includes(circle.id)) : members
  const hasViews = members.length > 0
  return (
    <>
      <div className="circle-bar empty:hidden">
        {circles.length > 0 ? <CircleFilter circles={circles} value={circleId} onChange={choose} /> : null}
        {hasViews || hasCircles ? (
          <div className="team-views">
            {hasViews && view === 'wall' ? (
              <span className="max-lg:hidden">
                <Link href={`${APP_PATHS.team}?wall`} state={enteredFrom(APP_PATHS.team)} asChild>
                  <TextLink>{texts.wallDisplay()}</TextLink>
                </Link>
              </span>
            ) : null}
            {hasViews ? (
              <TextButton onClick={() => onView(view === 'wall' ? 'list' : 'wall')}>
                {view === 'wall' ? texts.asList() : texts.asWall()}
              </TextButton>
            ) : null}
            {hasCircles ? (
              <Link href={APP_PATHS.circles} asChild>
                <TextLink>{texts.circles()}</TextLink>
              </Link>
            ) : null}
          </div>
        ) : null}
      </div>
      <TeamQuietTimes circles={circle ? [circle] : circles} />
      {view === 'wall' && hasViews ? (
        <Wall members={shown} circles={circles} circle={circle} hasCircles={hasCircles} />
      ) : (
        <MemberList members={shown} circles={circles} />
      )}
      {hasViews ? null : <Nobody team={team} hasCircles={hasCircles} />}
      <Newcomers team={team} />
      <p role="status" className="sr-only">
        {circle ? texts.shown({ count: shown.length, circle: circle.name }) : ''}
      </p>
      {circle && shown.length === 0 && hasViews ? (
        <p className="mt-4 text-body text-soft wrap-anywhere">{texts.nobodyInCircle({ circle: circle.name })}</p>
      ) : null}
    </>
  )
}

/** Whether the server has circles and the user a company. */
function useHasCircles({ circleSize = 0 }: ShownTeam): boolean {
  const { data: home } = useHome()
  return circleSize > 0 && Boolean(home?.profile.companyDomain)
}

/** For a user who sees nobody: one button to invite, with all ways behind it. */
function Nobody({ team, hasCircles }: { team: ShownTeam; hasCircles: boolean }) {
  const { circles = [] } = team
  const [isInviting, setIsInviting] = useState(false)
  const [circle]: (TeamCircle | undefined)[] = circles
  return (
    <>
      <TeamEmpty
        title={texts.noConnections()}
        hint={
          circles.length > 0
            ? texts.nobodyElse({ circles: listText(circles.map(({ name }) => name)) })
            : texts.noConnectionsHint()
        }
      />
      <div className="pb-4 text-center">
        <Button kind="primary" size="list" onClick={() => setIsInviting(true)}>
          {texts.inviteColleagues()}
        </Button>
      </div>
      {isInviting ? (
        <InviteSheet
          circle={circles.length === 1 ? circle : undefined}
          hasCircles={hasCircles}
          onClose={() => setIsInviting(false)}
        />
      ) : null}
    </>
  )
}
