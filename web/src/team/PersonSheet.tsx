import { shownName } from '@deeb/core/account/display-name'
import * as texts from '@deeb/texts/team'
import { useState } from 'react'
import { BreakableEmail } from '../ui/PersonRow.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { FreeBell } from './FreeBell.tsx'
import { HideDialog } from './HideDialog.tsx'
import { KnockOffer } from './KnockOffer.tsx'
import { MemberState } from './MemberState.tsx'
import { listText, type Member, namesOf, shortName, type TeamCircle } from './members.ts'
import { QuitDialog } from './QuitDialog.tsx'

interface MemberProps {
  member: Member
  circles: TeamCircle[]
  onClose: () => void
}

/** Shows a person who was pressed: address, state, the bell, the way to interrupt them, and the end of the connection. */
export function PersonSheet({ member, circles, onClose }: MemberProps) {
  const { person, presence, circleIds, connection } = member
  const [isEnding, setIsEnding] = useState(false)
  const circleNames = namesOf(circles, circleIds)
  return (
    <>
      <Sheet title={shownName(person)} onDismiss={onClose}>
        <p className="text-body wrap-anywhere">
          <TextLink href={`mailto:${person.email}`} tone="soft">
            <BreakableEmail email={person.email} />
          </TextLink>
        </p>
        {circleNames.length > 0 ? <p className="text-body text-soft wrap-anywhere">{listText(circleNames)}</p> : null}
        {presence ? (
          <div className={`mt-4 text-name ${presence.inDeebMode ? 'text-green-text' : 'text-soft'}`}>
            <MemberState presence={presence} />
          </div>
        ) : null}
        <FreeBell
          userId={person.id}
          name={shownName(person)}
          inDeebMode={presence?.inDeebMode ?? false}
          hasWords={true}
        />
        <KnockOffer person={person} inDeebMode={presence?.inDeebMode ?? false} />
        <div className="mt-6">
          <TextButton tone="destructive" onClick={() => setIsEnding(true)}>
            {connection ? texts.quit() : texts.hideFrom({ name: shortName(person) })}
          </TextButton>
        </div>
      </Sheet>
      {isEnding ? <EndSight member={member} circles={circles} onClose={() => setIsEnding(false)} /> : null}
    </>
  )
}

/** Asks whether to quit the connection, or to hide from somebody who is seen through circles only. */
export function EndSight({ member: { person, circleIds, connection }, circles, onClose }: MemberProps) {
  const rest = { circleNames: namesOf(circles, circleIds), onClose }
  return connection ? <QuitDialog connection={connection} {...rest} /> : <HideDialog person={person} {...rest} />
}
