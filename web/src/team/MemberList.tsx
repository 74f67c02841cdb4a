import { shownName } from '@deeb/core/account/display-name'
import type { Knocks } from '@deeb/core/alerts/knock-api'
import { inDeebModeFirst } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
import { type RefObject, useRef, useState } from 'react'
import { domainOf, PersonRow, shortEmail } from '../ui/PersonRow.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useGlidingRows } from '../ui/use-gliding-rows.ts'
import { FreeBell } from './FreeBell.tsx'
import { useKnocks } from './knock-queries.ts'
import { knockText } from './knock-text.ts'
import { RowState } from './MemberState.tsx'
import { type Member, namesOf, shortName, type TeamCircle } from './members.ts'
import { EndSight, PersonSheet } from './PersonSheet.tsx'

interface MemberListProps {
  members: Member[]
  circles: TeamCircle[]
  /** In what a search found, addresses are whole; else their domain is left out if all have the same. */
  isSearch?: boolean
}

/** People whose deeb mode the user sees, those in deeb mode first. A press on a connection asks whether to quit it. A press on somebody who is seen through a circle, or on the bell of one who lets the user interrupt, opens their sheet. */
export function MemberList({ members, circles, isSearch = false }: MemberListProps) {
  const list = useRef<HTMLUListElement>(null)
  useGlidingRows(list)
  useFocusAfterRemoval(list, 'h1')
  const [pressed, setPressed] = useState<{ userId: string; what: 'row' | 'bell' } | null>(null)
  const member = members.find(({ person }) => person.id === pressed?.userId)
  const Pressed = pressed?.what === 'bell' || !member?.connection ? PersonSheet : EndSight
  return (
    <>
      {members.length > 0 ? (
        <Members list={list} members={members} circles={circles} isSearch={isSearch} onPress={setPressed} />
      ) : null}
      {member ? <Pressed member={member} circles={circles} onClose={() => setPressed(null)} /> : null}
    </>
  )
}

interface MembersProps extends MemberListProps {
  list: RefObject<HTMLUListElement | null>
  onPress: (pressed: { userId: string; what: 'row' | 'bell' }) => void
}

function Members({ list, members, circles, isSearch = false, onPress }: MembersProps) {
  const knocks = useKnocks()
  const domains = new Set(members.map(({ person }) => domainOf(person.email)))
  return (
    <ul ref={list} aria-label={texts.members()} className="team-members">
      {inDeebModeFirst(members).map(({ person, presence, circleIds }) => (
        <li key={person.id} data-key={person.id} className="flex items-center gap-2 border-line not-first:border-t">
          <button
            type="button"
            onClick={() => onPress({ userId: person.id, what: 'row' })}
            className="member rounded-bar"
          >
            <MemberRow
              person={person}
              presence={presence}
              circleNames={namesOf(circles, circleIds)}
              hasDomain={isSearch || domains.size > 1}
              knock={knocks?.sent.find(({ userId }) => userId === person.id)}
            />
          </button>
          <FreeBell
            userId={person.id}
            name={shownName(person)}
            inDeebMode={presence?.inDeebMode ?? false}
            onMore={
              presence?.inDeebMode && knocks?.mayKnock.includes(person.id)
                ? () => onPress({ userId: person.id, what: 'bell' })
                : undefined
            }
          />
        </li>
      ))}
    </ul>
  )
}

interface MemberRowProps extends Pick<Member, 'person' | 'presence'> {
  circleNames?: string[]
  /** Whether the address is shown with its domain. */
  hasDomain?: boolean
  /** A knock of the user at this person. */
  knock?: Knocks['sent'][number] | undefined
}

export function MemberRow({ person, presence, circleNames = [], hasDomain = true, knock }: MemberRowProps) {
  return (
    <PersonRow
      name={shownName(person)}
      email={shortEmail(person.email, hasDomain)}
      note={circleNames.join(', ')}
      plugged={presence?.inDeebMode ?? false}
    >
      {presence ? <RowState presence={presence} /> : null}
      {knock ? <span className="text-note text-soft">{knockText(shortName(person), knock.answer)}</span> : null}
    </PersonRow>
  )
}
