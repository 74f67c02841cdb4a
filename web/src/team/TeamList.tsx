import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/team'
import { Link } from 'wouter'
import { useHome } from '../focus/day-queries.ts'
import { TextLink } from '../ui/TextLink.tsx'
import { CircleFilter, useCircleFilter } from './CircleFilter.tsx'
import { MemberList } from './MemberList.tsx'
import { matching } from './matching.ts'
import { listText, membersOf } from './members.ts'
import { Newcomers } from './Newcomers.tsx'
import { TeamEmpty } from './TeamEmpty.tsx'
import type { ShownTeam } from './team-cache.ts'
import { Wall } from './Wall.tsx'

/** Everybody whom the user sees, as circles or rows, or the rows of those who match the query; a filter by circle, and newcomers of the circles. */
export function TeamList({ team, query, isWall = false }: { team: ShownTeam; query: string; isWall?: boolean }) {
  const { circles = [] } = team
  const hasCircles = useHasCircles(team)
  const [circleId, choose] = useCircleFilter(circles)
  const members = membersOf(team)
  if (query !== '') return <MemberList members={matching(members, query)} circles={circles} isSearch={true} />
  const circle = circles.find(({ id }) => id === circleId)
  const showsWall = isWall && members.length > 0
  const shown = circle ? members.filter(({ circleIds }) => circleIds.includes(circle.id)) : members
  return (
    <>
      {showsWall ? null : <Newcomers team={team} />}
      {circles.length > 0 || (hasCircles && members.length > 0) ? (
        <div className="circle-bar">
          {circles.length > 0 ? <CircleFilter circles={circles} value={circleId} onChange={choose} /> : null}
          {hasCircles ? (
            <Link href={APP_PATHS.circles} asChild>
              <TextLink>{texts.circles()}</TextLink>
            </Link>
          ) : null}
        </div>
      ) : null}
      {showsWall ? (
        <>
          <Wall members={shown} circles={circles} circle={circle} />
          <Newcomers team={team} />
        </>
      ) : (
        <MemberList members={shown} circles={circles} />
      )}
      <p role="status" className="sr-only">
        {circle ? texts.shown({ count: shown.length, circle: circle.name }) : ''}
      </p>
      {circle && shown.length === 0 && members.length > 0 ? (
        <p className="mt-4 text-body text-soft wrap-anywhere">{texts.nobodyInCircle({ circle: circle.name })}</p>
      ) : null}
      {members.length === 0 ? (
        <>
          <TeamEmpty title={texts.noConnections()} hint={texts.noConnectionsHint()} />
          {hasCircles ? <CircleHint team={team} /> : null}
        </>
      ) : null}
    </>
  )
}

/** Whether the server has circles and the user a company. */
function useHasCircles({ circleSize = 0 }: ShownTeam): boolean {
  const { data: home } = useHome()
  return circleSize > 0 && Boolean(home?.profile.companyDomain)
}

/** The other way to colleagues, for a user who sees nobody. */
function CircleHint({ team: { circles = [], newcomers = [], serverTime } }: { team: ShownTeam }) {
  // Newcomers say when they will see somebody.
  if (newcomers.length > 0 || circles.some(({ visibleFrom }) => visibleFrom > serverTime)) return null
  const names = circles.map(({ name }) => name)
  return (
    <div className="pb-4 text-center">
      <p className="text-body text-soft text-balance wrap-anywhere">
        {names.length === 0 ? texts.orCreateCircle() : texts.nobodyElse({ circles: listText(names) })}
      </p>
      <Link href={APP_PATHS.circles} asChild>
        <TextLink>{names.length === 0 ? texts.createCircle() : texts.openCircles()}</TextLink>
      </Link>
    </div>
  )
}
