import type { Newcomer } from '@deeb/core/team/api'
import * as texts from '@deeb/texts/team'
import { useRef, useState } from 'react'
import { store } from '../device/store.ts'
import { useNow } from '../focus/use-now.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { withElements } from '../ui/with-elements.tsx'
import { HideDialog } from './HideDialog.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { shortName, type TeamCircle } from './members.ts'
import type { Team } from './team-cache.ts'
import { whenText } from './visible-from.ts'

/** More newcomers are shown after a press. */
const MAX_SHOWN = 2

/** In local storage, the latest time of a note that this browser's user has read. */
const READ_UNTIL = 'deeb.newcomers-read-until'

/** Lists those who have joined a circle of the user and will be visible in it later, the user included, until they are read. */
export function Newcomers({ team }: { team: Team }) {
  const { circles = [], newcomers = [], connections, serverTime } = team
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const [isOpen, setIsOpen] = useState(false)
  const [readUntil, setReadUntil] = useState(() => localStorage.getItem(READ_UNTIL) ?? '')
  const joined = circles.filter(({ visibleFrom }) => visibleFrom > serverTime && visibleFrom > readUntil)
  // Connections see each other anyway.
  const others = newcomers.filter(
    ({ person, visibleFrom }) =>
      visibleFrom > readUntil && connections.every((connection) => connection.person.id !== person.id),
  )
  const left = isOpen ? 0 : others.length - MAX_SHOWN
  // At midnight `tomorrow` becomes `today`.
  useNow(joined.length + others.length > 0)
  if (joined.length + others.length === 0) return null
  function read(): void {
    const [latest = ''] = [...joined, ...others]
      .map(({ visibleFrom }) => visibleFrom)
      .sort()
      .reverse()
    store('localStorage', READ_UNTIL, latest)
    setReadUntil(latest)
  }
  return (
    <div className="mt-3 gap-x-6 wide:flex">
      <ul ref={list} aria-label={texts.newcomers()} className="flex-1">
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
      <p className="newcomers-end flex flex-wrap gap-x-6">
        <TextButton onClick={read}>{texts.ok()}</TextButton>
        {left > 0 ? <TextButton onClick={() => setIsOpen(true)}>{texts.showMore({ count: left })}</TextButton> : null}
      </p>
    </div>
  )
}

const ROW = 'border-b border-line py-3 text-body text-pretty wrap-anywhere'

const NAME = 'rounded-bar underline decoration-1 underline-offset-4'

function NewcomerRow({ newcomer, circle }: { newcomer: Newcomer; circle: TeamCircle }) {
  const [asking, setAsking] = useState<'what' | 'leave' | 'hide'>()
  const close = () => setAsking(undefined)
  const { person, visibleFrom } = newcomer
  const name = shortName(person)
  return (
    <li className={ROW}>
      {withElements(texts.personJoined, {
        name: (
          <button type="button" aria-haspopup="dialog" onClick={() => setAsking('what')} className={NAME}>
            {name}
          </button>
        ),
        circle: circle.name,
        when: whenText(visibleFrom),
      })}
      {asking === 'what' ? (
        <Sheet title={name} onDismiss={close}>
          <div className="mt-4 grid gap-3">
            <Button kind="secondary" onClick={() => setAsking('hide')}>
              {texts.hideFrom({ name })}
            </Button>
            <Button kind="secondary" onClick={() => setAsking('leave')}>
              {texts.leaveNamedCircle({ circle: circle.name })}
            </Button>
          </div>
        </Sheet>
      ) : null}
      {asking === 'leave' ? <LeaveDialog circle={circle} onClose={close} /> : null}
      {asking === 'hide' ? (
        <HideDialog person={person} circleNames={[circle.name]} isNewcomer={true} onClose={close} />
      ) : null}
    </li>
  )
}
