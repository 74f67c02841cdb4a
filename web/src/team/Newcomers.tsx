import type { Newcomer } from '@deeb/core/team/api'
import * as texts from '@deeb/texts/team'
import { useRef, useState } from 'react'
import { useNow } from '../focus/use-now.ts'
import { TextButton } from '../ui/TextLink.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { HideDialog } from './HideDialog.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { shortName, type TeamCircle } from './members.ts'
import type { Team } from './team-cache.ts'
import { whenText } from './visible-from.ts'

/** More newcomers are shown after a press. */
const MAX_SHOWN = 2

/** Lists those who have joined a circle of the user and will be visible in it later, the user included. */
export function Newcomers({ team }: { team: Team }) {
  const { circles = [], newcomers = [], connections, serverTime } = team
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const [isOpen, setIsOpen] = useState(false)
  const joined = circles.filter(({ visibleFrom }) => visibleFrom > serverTime)
  // Connections see each other anyway.
  const others = newcomers.filter(({ person }) => connections.every((connection) => connection.person.id !== person.id))
  const left = isOpen ? 0 : others.length - MAX_SHOWN
  // At midnight `tomorrow` becomes `today`.
  useNow(joined.length + others.length > 0)
  if (joined.length + others.length === 0) return null
  return (
    <>
      <ul ref={list} aria-label={texts.newcomers()} className="mt-3">
        {joined.map(({ id, name, visibleFrom }) => (
          <li key={id} className={ROW}>
            {texts.youJoined({ circle: name, when: whenText(visibleFrom) })}
          </li>
        ))}
        {others.slice(0, left > 0 ? MAX_SHOWN : undefined).map((newcomer) => {
          const circle = circles.find(({ id }) => id === newcomer.circleId)
          const key = newcomer.circleId + newcomer.person.id
          return circle ? <NewcomerRow key={key} newcomer={newcomer} circle={circle} /> : null
        })}
      </ul>
      {left > 0 ? <TextButton onClick={() => setIsOpen(true)}>{texts.showMore({ count: left })}</TextButton> : null}
    </>
  )
}

const ROW = 'border-b border-line py-3 text-body text-pretty wrap-anywhere'

function NewcomerRow({ newcomer, circle }: { newcomer: Newcomer; circle: TeamCircle }) {
  const [asking, setAsking] = useState<'leave' | 'hide'>()
  const close = () => setAsking(undefined)
  const { person, visibleFrom } = newcomer
  const name = shortName(person)
  return (
    <li className={ROW}>
      <p>{texts.personJoined({ name, circle: circle.name, when: whenText(visibleFrom) })}</p>
      <p className="flex flex-wrap gap-x-6">
        <TextButton aria-label={texts.leaveNamedCircle({ circle: circle.name })} onClick={() => setAsking('leave')}>
          {texts.leaveCircle()}
        </TextButton>
        <TextButton onClick={() => setAsking('hide')}>{texts.hideFrom({ name })}</TextButton>
      </p>
      {asking === 'leave' ? <LeaveDialog circle={circle} onClose={close} /> : null}
      {asking === 'hide' ? (
        <HideDialog person={person} circleNames={[circle.name]} isNewcomer={true} onClose={close} />
      ) : null}
    </li>
  )
}
