import { shownName } from '@deeb/core/account/display-name'
import type { Presence } from '@deeb/core/presence/presence'
import type { Connection } from '@deeb/core/team/api'
import { inDeebModeFirst } from '@deeb/core/team/connection'
import { type RefObject, useRef, useState } from 'react'
import { timeText } from '../local-time.ts'
import { PersonRow } from '../ui/PersonRow.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useGlidingRows } from '../ui/use-gliding-rows.ts'
import { FreeBell } from './FreeBell.tsx'
import { matching } from './matching.ts'
import { QuitDialog } from './QuitDialog.tsx'

/** The user's connections that match, those in deeb mode first. A press on one asks whether to quit it. */
export function MemberList({ connections, query }: { connections: Connection[]; query: string }) {
  const list = useRef<HTMLUListElement>(null)
  useGlidingRows(list)
  useFocusAfterRemoval(list, 'h1')
  const [quittingId, setQuittingId] = useState<string | null>(null)
  const quitting = connections.find(({ id }) => id === quittingId)
  const members = inDeebModeFirst(matching(connections, query))
  return (
    <>
      {members.length > 0 ? <Members list={list} members={members} onPress={setQuittingId} /> : null}
      {quitting ? <QuitDialog connection={quitting} onClose={() => setQuittingId(null)} /> : null}
    </>
  )
}

interface MembersProps {
  list: RefObject<HTMLUListElement | null>
  members: Connection[]
  onPress: (connectionId: string) => void
}

function Members({ list, members, onPress }: MembersProps) {
  return (
    <ul ref={list} aria-label="Team members" className="mt-3">
      {members.map(({ id, person, presence }) => (
        <li key={id} data-key={id} className="flex items-center gap-2 border-line not-first:border-t">
          <button type="button" onClick={() => onPress(id)} className="member rounded-bar">
            <MemberRow person={person} presence={presence} />
          </button>
          <FreeBell userId={person.id} name={shownName(person)} inDeebMode={presence.inDeebMode} />
        </li>
      ))}
    </ul>
  )
}

export function MemberRow({ person, presence }: Pick<Connection, 'person' | 'presence'>) {
  return (
    <PersonRow name={shownName(person)} email={person.email} plugged={presence.inDeebMode}>
      <PresenceText presence={presence} />
    </PersonRow>
  )
}

/** A dot and a text: colour alone is not accessible. */
function PresenceText({ presence: { inDeebMode, since } }: { presence: Presence }) {
  return (
    <span className={`person-state text-label ${inDeebMode ? 'text-green-text' : 'text-soft'}`}>
      <span className="flex items-center gap-2">
        <span className={`size-2 rounded-full ${inDeebMode ? 'bg-green' : 'bg-edge'}`} aria-hidden="true" />
        {inDeebMode ? 'In deeb mode' : 'Available'}
      </span>
      {since ? <span className="block font-400 text-soft">since {timeText(new Date(since))}</span> : null}
    </span>
  )
}
