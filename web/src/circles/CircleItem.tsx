import { shownName } from '@deeb/core/account/display-name'
import type { Circle, CircleMember } from '@deeb/core/circles/api'
import type { Presence } from '@deeb/core/presence/presence'
import * as texts from '@deeb/texts/circles'
import * as teamTexts from '@deeb/texts/team'
import { useRef, useState } from 'react'
import { useHome } from '../focus/day-queries.ts'
import { QuietTimes } from '../quiet/QuietTimes.tsx'
import { RowState } from '../team/MemberState.tsx'
import { membersOf, shortName } from '../team/members.ts'
import { succeeded, useTeam } from '../team/team-queries.ts'
import { useIsLater, whenText } from '../team/visible-from.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { Close } from '../ui/icons.tsx'
import { domainOf, PersonRow, shortEmail } from '../ui/PersonRow.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { CircleActions } from './CircleActions.tsx'
import { sizeText } from './circle-text.ts'
import { useRemoveMember } from './circles-queries.ts'

interface CircleItemProps {
  circle: Circle
  /** Without what can be done: the data may be outdated. */
  isOld: boolean
  open: boolean
  onToggle: () => void
  onShare: () => void
}

/** A circle, which expands to its members and what its user can do. */
export function CircleItem({ circle, isOld, open, onToggle, onShare }: CircleItemProps) {
  const isWaiting = useIsLater(circle.visibleFrom)
  const { data: team } = useTeam()
  const seen = new Map(team && membersOf(team).map(({ person, presence }) => [person.id, presence]))
  const focused = circle.people.filter(({ person }) => seen.get(person.id)?.inDeebMode).length
  const value = [sizeText(circle), ...(focused > 0 ? [teamTexts.inDeebMode({ count: focused })] : [])].join(' · ')
  return (
    <Disclosure label={circle.name} value={value} open={open} onToggle={onToggle}>
      {isWaiting ? (
        <p className="pb-2 text-body text-pretty">{texts.seeEachOtherFrom({ when: whenText(circle.visibleFrom) })}</p>
      ) : null}
      <Members circle={isOld ? { ...circle, isKeeper: false } : circle} seen={seen} />
      {isOld ? null : (
        <>
          {circle.quiet ? <QuietTimes circle={circle} quiet={circle.quiet} /> : null}
          <CircleActions circle={circle} onShare={onShare} />
        </>
      )}
    </Disclosure>
  )
}

/** The members, the user first, then those in deeb mode, by name. Those whom the user sees on Team have their deeb mode here too. */
function Members({ circle, seen }: { circle: Circle; seen: ReadonlyMap<string, Presence | null> }) {
  const { data: home } = useHome()
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const isFocused = ({ person }: CircleMember) => seen.get(person.id)?.inDeebMode === true
  const sorted = [...circle.people].sort((one, other) => Number(isFocused(other)) - Number(isFocused(one)))
  const hasDomain =
    new Set([home?.profile.email, ...circle.people.map(({ person }) => person.email)].map(domainOf)).size > 1
  return (
    <ul ref={list} aria-label={texts.membersOf({ circle: circle.name })}>
      {home ? (
        <li>
          <PersonRow
            name={shownName(home.profile)}
            email={shortEmail(home.profile.email, hasDomain)}
            note={texts.you()}
          />
        </li>
      ) : null}
      {sorted.map((member) => (
        <MemberRow
          key={member.person.id}
          circle={circle}
          member={member}
          presence={seen.get(member.person.id)}
          hasDomain={hasDomain}
        />
      ))}
    </ul>
  )
}

interface MemberRowProps {
  circle: Circle
  member: CircleMember
  /** Undefined for somebody whose deeb mode the user does not see. */
  presence: Presence | null | undefined
  hasDomain: boolean
}

function MemberRow({ circle, member: { person, visibleFrom }, presence, hasDomain }: MemberRowProps) {
  const [isRemoving, setIsRemoving] = useState(false)
  const isWaiting = useIsLater(visibleFrom)
  const remove = useRemoveMember(circle)
  const name = shortName(person)
  return (
    <li className="flex items-center gap-2 border-line not-first:border-t">
      <PersonRow
        name={shownName(person)}
        email={shortEmail(person.email, hasDomain)}
        note={isWaiting ? texts.seenFrom({ when: whenText(visibleFrom) }) : undefined}
        plugged={presence?.inDeebMode}
      >
        {presence ? <RowState presence={presence} /> : null}
      </PersonRow>
      {circle.isKeeper ? (
        <button
          type="button"
          aria-label={texts.removePerson({ name: shownName(person) })}
          title={texts.remove()}
          onClick={() => setIsRemoving(true)}
          className="-me-3 grid size-11 flex-none place-items-center rounded-full text-soft"
        >
          <Close size={18} strokeWidth={1.75} />
        </button>
      ) : null}
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
    </li>
  )
}
