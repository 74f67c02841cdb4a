import { shownName } from '@deeb/core/account/display-name'
import type { Connection } from '@deeb/core/team/api'
import { inDeebModeFirst, type Presence } from '@deeb/core/team/connection'
import { useRef, useState } from 'react'
import { timeText } from '../focus/local-times.ts'
import { PersonRow } from '../ui/PersonRow.tsx'
import { useGlidingRows } from '../ui/use-gliding-rows.ts'
import { matching } from './matching.ts'
import { QuitDialog } from './QuitDialog.tsx'

/** The own connections that match, those in deeb mode first. A press on one asks whether to quit it. */
export function MemberList({ connections, query }: { connections: Connection[]; query: string }) {
  const list = useRef<HTMLUListElement>(null)
  useGlidingRows(list)
  const [quittingId, setQuittingId] = useState<string | null>(null)
  const quitting = connections.find(({ id }) => id === quittingId)
  return (
    <>
      <ul ref={list} aria-label="Team members" className="mt-3">
        {inDeebModeFirst(matching(connections, query)).map(({ id, person, presence }) => (
          <li key={id} data-key={id} className="border-line not-first:border-t">
            <button type="button" onClick={() => setQuittingId(id)} className="w-full rounded-bar">
              <PersonRow name={shownName(person)} email={person.email} plugged={presence.inDeebMode}>
                <PresenceWord presence={presence} />
              </PersonRow>
            </button>
          </li>
        ))}
      </ul>
      {quitting ? <QuitDialog connection={quitting} onClose={() => setQuittingId(null)} /> : null}
    </>
  )
}

/** A dot and a word, since a colour alone says nothing to many. */
function PresenceWord({ presence: { inDeebMode, since } }: { presence: Presence }) {
  if (!inDeebMode) {
    return (
      <span className="flex items-center gap-2 text-label text-soft">
        <span className="size-2 rounded-full bg-edge" aria-hidden="true" />
        Available
      </span>
    )
  }
  return (
    <span className="flex items-center gap-2 text-label text-green-text">
      <span className="size-2 rounded-full bg-green" aria-hidden="true" />
      In deeb mode
      {since ? <span className="sr-only"> since {timeText(new Date(since))}</span> : null}
    </span>
  )
}
