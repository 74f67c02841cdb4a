import { shownName } from '@deeb/core/account/display-name'
import type { Circle, CircleMember } from '@deeb/core/circles/api'
import * as texts from '@deeb/texts/circles'
import { useRef, useState } from 'react'
import { useHome } from '../focus/day-queries.ts'
import { copyLink } from '../team/copy-link.ts'
import { shortName } from '../team/members.ts'
import { succeeded } from '../team/team-queries.ts'
import { useIsLater, whenText } from '../team/visible-from.ts'
import { Button } from '../ui/Button.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { CircleActions } from './CircleActions.tsx'
import { linkOf, sizeText } from './circle-text.ts'
import { useRemoveMember } from './circles-queries.ts'

interface CircleItemProps {
  circle: Circle
  /** Without what can be done: the data may be outdated. */
  isOld: boolean
  open: boolean
  onToggle: () => void
  onShare: () => void
}

/** A circle, which expands to its link, its members and what its user can do. */
export function CircleItem({ circle, isOld, open, onToggle, onShare }: CircleItemProps) {
  const { name, invite, visibleFrom } = circle
  const isWaiting = useIsLater(visibleFrom)
  return (
    <Disclosure label={name} value={sizeText(circle)} open={open} onToggle={onToggle}>
      {isWaiting ? (
        <p className="pb-4 text-body text-pretty">{texts.seeEachOtherFrom({ when: whenText(visibleFrom) })}</p>
      ) : null}
      {isOld ? null : invite === null ? (
        <p className="text-body text-soft">{texts.nobodyCanJoin()}</p>
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button kind="primary" size="list" onClick={onShare}>
            {texts.showCode()}
          </Button>
          <Button kind="secondary" size="list" onClick={() => void copyLink(linkOf(invite))}>
            {texts.copyLink()}
          </Button>
        </div>
      )}
      {/* Above the members: nobody has to scroll past 50 people to leave. */}
      {isOld ? null : <CircleActions circle={circle} />}
      <Members circle={isOld ? { ...circle, isKeeper: false } : circle} />
    </Disclosure>
  )
}

/** The members by name, the user first. Without their deeb mode: the team shows it. */
function Members({ circle }: { circle: Circle }) {
  const { data: home } = useHome()
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  return (
    <ul ref={list} aria-label={texts.membersOf({ circle: circle.name })} className="mt-3">
      {home ? (
        <li>
          <PersonRow
            name={shownName(home.profile)}
            email={home.profile.email}
            note={circle.isKeeper ? texts.youKeeper() : texts.you()}
          />
        </li>
      ) : null}
      {circle.people.map((member) => (
        <li key={member.person.id} className="border-line not-first:border-t">
          <MemberRow circle={circle} member={member} />
        </li>
      ))}
    </ul>
  )
}

function MemberRow({ circle, member: { person, visibleFrom } }: { circle: Circle; member: CircleMember }) {
  const [isRemoving, setIsRemoving] = useState(false)
  const isWaiting = useIsLater(visibleFrom)
  const remove = useRemoveMember(circle)
  const name = shortName(person)
  return (
    <>
      <PersonRow
        name={shownName(person)}
        email={person.email}
        note={isWaiting ? texts.seenFrom({ when: whenText(visibleFrom) }) : undefined}
      >
        {circle.isKeeper ? (
          <TextButton
            tone="soft"
            aria-label={texts.removePerson({ name: shownName(person) })}
            onClick={() => setIsRemoving(true)}
          >
            {texts.remove()}
          </TextButton>
        ) : null}
      </PersonRow>
      {isRemoving ? (
        <FormDialog
          title={texts.removeTitle({ name, circle: circle.name })}
          description={texts.removeDescription({ name })}
          action={texts.remove()}
          kind="destructive"
          onSubmit={() => succeeded(remove.mutateAsync(person))}
          onClose={() => setIsRemoving(false)}
        />
      ) : null}
    </>
  )
}
