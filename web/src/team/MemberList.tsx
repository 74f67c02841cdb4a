import { shownName } from '@deeb/core/account/display-name'
import { inDeebModeFirst } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
import { type RefObject, useRef, useState } from 'react'
import { PersonRow } from '../ui/PersonRow.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useGlidingRows } from '../ui/use-gliding-rows.ts'
import { FreeBell } from './FreeBell.tsx'
import { RowState } from './MemberState.tsx'
import { type Member, namesOf, type TeamCircle } from './members.ts'
import { EndSight } from './PersonSheet.tsx'

interface MemberListProps {
  members: Member[]
  circles: TeamCircle[]
  /** In what a search found, addresses are whole; else their domain is left out if all have the same. */
  isSearch?: boolean
}

/** People whose deeb mode the user sees, those in deeb mode first. A press on one asks whether to quit the connection, or to hide. */
export function MemberList({ members, circles, isSearch = false }: MemberListProps) {
  const list = useRef<HTMLUListElement>(null)
  useGlidingRows(list)
  useFocusAfterRemoval(list, 'h1')
  const [pressedId, setPressedId] = useState<string | null>(null)
  const pressed = members.find(({ person }) => person.id === pressedId)
  return (
    <>
      {members.length > 0 ? (
        <Members list={list} members={members} circles={circles} isSearch={isSearch} onPress={setPressedId} />
      ) : null}
      {pressed ? <EndSight member={pressed} circles={circles} onClose={() => setPressedId(null)} /> : null}
    </>
  )
}

interface MembersProps extends MemberListProps {
  list: RefObject<HTMLUListElement | null>
  onPress: (userId: string) => void
}

function Members({ list, members, circles, isSearch = false, onPress }: MembersProps) {
  const domains = new Set(members.map(({ person }) => domainOf(person.email)))
  return (
    <ul ref={list} aria-label={texts.members()} className="mt-3">
      {inDeebModeFirst(members).map(({ person, presence, circleIds }) => (
        <li key={person.id} data-key={person.id} className="flex items-center gap-2 border-line not-first:border-t">
          <button type="button" onClick={() => onPress(person.id)} className="member rounded-bar">
            <MemberRow
              person={person}
              presence={presence}
              circleNames={namesOf(circles, circleIds)}
              hasDomain={isSearch || domains.size > 1}
            />
          </button>
          <FreeBell userId={person.id} name={shownName(person)} inDeebMode={presence?.inDeebMode ?? false} />
        </li>
      ))}
    </ul>
  )
}

interface MemberRowProps extends Pick<Member, 'person' | 'presence'> {
  circleNames?: string[]
  /** Whether the address is shown with its domain. */
  hasDomain?: boolean
}

export function MemberRow({ person, presence, circleNames = [], hasDomain = true }: MemberRowProps) {
  return (
    <PersonRow
      name={shownName(person)}
      email={hasDomain ? person.email : person.email.slice(0, -domainOf(person.email).length)}
      note={circleNames.join(', ')}
      plugged={presence?.inDeebMode ?? false}
    >
      {presence ? <RowState presence={presence} /> : null}
    </PersonRow>
  )
}

/** The address from its `@` on. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@'))
}
