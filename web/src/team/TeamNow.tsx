import { APP_PATHS } from '@deeb/core/paths'
import { inDeebModeFirst } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
import { Link } from 'wouter'
import { TextLink } from '../ui/TextLink.tsx'
import { MemberRow } from './MemberList.tsx'
import { membersOf } from './members.ts'
import { useTeam } from './team-queries.ts'

/** The team at a glance, beside the ring of Home: those in deeb mode first, as many as there is room for. Nothing without a team. */
export default function TeamNow() {
  const { data: team } = useTeam()
  const members = team ? membersOf(team) : []
  if (members.length === 0) return null
  const focused = members.filter(({ presence }) => presence?.inDeebMode).length
  return (
    <section aria-labelledby="team-now">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="team-now" className="text-name">
          {focused === 0 ? texts.yourTeam() : texts.inDeebMode({ count: focused })}
        </h2>
        <Link href={APP_PATHS.team} asChild>
          <TextLink>{texts.showAll()}</TextLink>
        </Link>
      </div>
      <ul className="team-now-rows">
        {inDeebModeFirst(members).map(({ person, presence }) => (
          <li key={person.id}>
            <MemberRow person={person} presence={presence} />
          </li>
        ))}
      </ul>
    </section>
  )
}
