import { MAX_COUNTED, MAX_SUGGESTED } from '@deeb/core/team/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { useState } from 'react'
import { FORMAT_LOCALE } from '../device/language.ts'
import { useHome } from '../focus/day-queries.ts'
import { TextButton } from '../ui/TextLink.tsx'
import { ColleagueList } from './ColleagueList.tsx'
import { membersOf } from './members.ts'
import { TeamInvite } from './TeamInvite.tsx'
import type { ShownTeam } from './team-cache.ts'
import type { usePeople } from './team-queries.ts'

/** How many people of the company use deeb, and some of them to connect with: those who were asked already are last. */
export function Suggestions({ team, read }: { team: ShownTeam; read: ReturnType<typeof usePeople> }) {
  const { connections, requests, sent } = team
  const { data, isError, refetch } = read
  const { data: home } = useHome()
  // As they were at first: a person whose request is taken back stays in place.
  const [asked] = useState(() => sent.slice(0, MAX_SUGGESTED).map(({ person }) => person))
  if (!home || !(data || isError)) return null
  const { companyDomain } = home.profile
  const suggested = data?.people ?? []
  const seen = membersOf(team)
  // The count was read once. Who has joined since then may be in the team already.
  const known = 1 + connections.length + requests.length + sent.length
  const people = [...suggested, ...asked.filter(({ id }) => suggested.every((other) => other.id !== id))].filter(
    ({ id }) => seen.every(({ person }) => person.id !== id),
  )
  return (
    <section className="team-suggestions">
      {data && companyDomain !== null ? (
        <h2 className="mb-2 text-label text-soft text-balance wrap-anywhere">
          {countText(Math.max(data.count, known), companyDomain)}
        </h2>
      ) : null}
      <ColleagueList label={texts.colleagues()} people={people} sent={sent} />
      {isError && team.asOf === null ? (
        <TextButton onClick={() => void refetch()}>{commonTexts.tryAgain()}</TextButton>
      ) : null}
      {seen.length > 0 ? (
        <div className="mt-4">
          <TeamInvite />
        </div>
      ) : null}
    </section>
  )
}

function countText(count: number, domain: string): string {
  if (count <= MAX_COUNTED) return texts.usersOf({ count, domain })
  return texts.moreUsersOf({ number: MAX_COUNTED.toLocaleString(FORMAT_LOCALE), domain })
}
