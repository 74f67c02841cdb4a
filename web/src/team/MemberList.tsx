import { shownName } from '@deeb/core/account/display-name'
import { comeBackAt } from '@deeb/core/presence/come-back'
import type { Presence } from '@deeb/core/presence/presence'
import { inDeebModeFirst } from '@deeb/core/team/connection'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { type RefObject, useRef, useState } from 'react'
import { timeText } from '../device/local-time.ts'
import { useNow } from '../focus/use-now.ts'
import { PersonRow } from '../ui/PersonRow.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useGlidingRows } from '../ui/use-gliding-rows.ts'
import { withElements } from '../ui/with-elements.tsx'
import { FreeBell } from './FreeBell.tsx'
import { HideDialog } from './HideDialog.tsx'
import { type Member, namesOf, type TeamCircle } from './members.ts'
import { QuitDialog } from './QuitDialog.tsx'

/** People whose deeb mode the user sees, those in deeb mode first. A press on one asks whether to quit the connection, or to hide. */
export function MemberList({ members, circles }: { members: Member[]; circles: TeamCircle[] }) {
  const list = useRef<HTMLUListElement>(null)
  useGlidingRows(list)
  useFocusAfterRemoval(list, 'h1')
  const [pressedId, setPressedId] = useState<string | null>(null)
  const pressed = members.find(({ person }) => person.id === pressedId)
  const rest = { circleNames: namesOf(circles, pressed?.circleIds ?? []), onClose: () => setPressedId(null) }
  return (
    <>
      {members.length > 0 ? <Members list={list} members={members} circles={circles} onPress={setPressedId} /> : null}
      {pressed?.connection ? <QuitDialog connection={pressed.connection} {...rest} /> : null}
      {pressed && !pressed.connection ? <HideDialog person={pressed.person} {...rest} /> : null}
    </>
  )
}

interface MembersProps {
  list: RefObject<HTMLUListElement | null>
  members: Member[]
  circles: TeamCircle[]
  onPress: (userId: string) => void
}

function Members({ list, members, circles, onPress }: MembersProps) {
  return (
    <ul ref={list} aria-label={texts.members()} className="mt-3">
      {inDeebModeFirst(members).map(({ person, presence, circleIds }) => (
        <li key={person.id} data-key={person.id} className="flex items-center gap-2 border-line not-first:border-t">
          <button type="button" onClick={() => onPress(person.id)} className="member rounded-bar">
            <MemberRow person={person} presence={presence} circleNames={namesOf(circles, circleIds)} />
          </button>
          <FreeBell userId={person.id} name={shownName(person)} inDeebMode={presence.inDeebMode} />
        </li>
      ))}
    </ul>
  )
}

interface MemberRowProps extends Pick<Member, 'person' | 'presence'> {
  circleNames?: string[]
}

export function MemberRow({ person, presence, circleNames = [] }: MemberRowProps) {
  return (
    <PersonRow
      name={shownName(person)}
      email={person.email}
      note={circleNames.join(', ')}
      plugged={presence.inDeebMode}
    >
      <PresenceText presence={presence} />
    </PersonRow>
  )
}

/** A dot and a text: colour alone is not accessible. */
function PresenceText({ presence }: { presence: Presence }) {
  const { inDeebMode } = presence
  return (
    <span className={`person-state text-label ${inDeebMode ? 'text-green-text' : 'text-soft'}`}>
      <span className="flex items-center gap-2">
        <span className={`size-2 rounded-full ${inDeebMode ? 'bg-green' : 'bg-edge'}`} aria-hidden="true" />
        {inDeebMode ? commonTexts.inDeebMode() : texts.available()}
      </span>
      <PresenceTime presence={presence} />
    </span>
  )
}

/** Shows the time to come back, as long as that is ahead; else the time of the change. */
function PresenceTime({ presence }: { presence: Presence }) {
  const now = useNow(Boolean(presence.until))
  const comeBack = comeBackAt(presence, now)
  if (!presence.since) return null
  return (
    <span className="block font-400 text-soft">
      {comeBack
        ? withElements(texts.backAt, { about: <About />, time: timeText(comeBack) })
        : texts.since({ time: timeText(new Date(presence.since)) })}
    </span>
  )
}

function About() {
  return (
    <>
      <span aria-hidden="true">~</span>
      <span className="sr-only">{texts.about()} </span>
    </>
  )
}
