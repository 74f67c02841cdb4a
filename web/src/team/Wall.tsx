import { shownName } from '@deeb/core/account/display-name'
import { elapsedSeconds, formatClock } from '@deeb/core/focus/session'
import { comeBackAt } from '@deeb/core/presence/come-back'
import type { Presence } from '@deeb/core/presence/presence'
import { inDeebModeFirst } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
import { useRef, useState } from 'react'
import { timeText } from '../device/local-time.ts'
import { useNow } from '../focus/use-now.ts'
import { ArrowRight } from '../ui/icons.tsx'
import { moveFocus } from '../ui/roving-focus.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useGlidingRows } from '../ui/use-gliding-rows.ts'
import { MemberState } from './MemberState.tsx'
import { type Member, namesOf, shortNames, type TeamCircle } from './members.ts'
import { PersonSheet } from './PersonSheet.tsx'
import { InviteSheet } from './TeamInvite.tsx'

const MINUTE_MS = 60_000

/** `6 in deeb mode`, and who is free next, if somebody has said when. */
export function WallHeadline({ members }: { members: Member[] }) {
  const now = useMinute(members)
  const focused = members.filter(({ presence }) => presence?.inDeebMode)
  const [next] = focused
    .map((member) => ({ member, at: member.presence && comeBackAt(member.presence, now) }))
    .filter(({ at }) => at !== null)
    .sort((one, other) => Number(one.at) - Number(other.at))
  return (
    <div className="wall-headline">
      <p className="wall-title">
        {focused.length === 0 ? texts.nobodyInDeebMode() : texts.inDeebMode({ count: focused.length })}
      </p>
      {next?.at ? (
        <p className="wall-next">
          {texts.nextFree({ name: shortNames(members).get(next.member) ?? '', time: timeText(next.at) })}
        </p>
      ) : null}
    </div>
  )
}

interface WallProps {
  members: Member[]
  circles: TeamCircle[]
  /** Set while only its people are shown. */
  circle?: TeamCircle | undefined
  /** Whether the server has circles. */
  hasCircles: boolean
}

/** Everybody as a circle: black with the green plug in deeb mode, pale with the initial when available, a line while neither is known. The last circle invites. */
export function Wall({ members, circles, circle, hasCircles }: WallProps) {
  const list = useRef<HTMLUListElement>(null)
  useGlidingRows(list)
  useFocusAfterRemoval(list, 'h1')
  const now = useMinute(members)
  const [openId, setOpenId] = useState<string | 'invite' | null>(null)
  /** The circle that the tab key reaches; the arrow keys reach the others. */
  const [reachedId, setReachedId] = useState<string>()
  const sorted = inDeebModeFirst(members)
  const names = shortNames(members)
  const opened = members.find(({ person }) => person.id === openId)
  const reached = members.some(({ person }) => person.id === reachedId) ? reachedId : sorted[0]?.person.id
  return (
    <>
      <div className="wall">
        <ul ref={list} aria-label={texts.members()} className="contents">
          {sorted.map((member) => {
            const { person, circleIds } = member
            return (
              <li key={person.id} data-key={person.id}>
                <button
                  type="button"
                  className="wall-person"
                  tabIndex={person.id === reached ? 0 : -1}
                  onFocus={() => setReachedId(person.id)}
                  onKeyDown={moveFocus}
                  onClick={() => setOpenId(person.id)}
                >
                  <WallPerson
                    member={member}
                    name={names.get(member) ?? ''}
                    now={now}
                    spoken={[person.email, namesOf(circles, circleIds).join(', ')]}
                  />
                </button>
              </li>
            )
          })}
        </ul>
        <button type="button" className="wall-person" onClick={() => setOpenId('invite')}>
          <span className="wall-circle" data-state="invite" aria-hidden="true">
            +
          </span>
          <span className="wall-name">{texts.invite()}</span>
        </button>
      </div>
      {opened ? <PersonSheet member={opened} circles={circles} onClose={() => setOpenId(null)} /> : null}
      {openId === 'invite' ? (
        <InviteSheet
          circle={circle ?? (circles.length === 1 ? circles[0] : undefined)}
          hasCircles={hasCircles}
          onClose={() => setOpenId(null)}
        />
      ) : null}
    </>
  )
}

interface WallPersonProps {
  member: Member
  /** The short name. */
  name: string
  now: Date
  /** Said after the full name. */
  spoken?: string[]
}

/** A person's circle, name and time as they are seen. Screen readers get the words of a row instead. */
export function WallPerson({ member: { person, presence }, name, now, spoken = [] }: WallPersonProps) {
  return (
    <>
      <span
        className="wall-circle"
        data-state={presence ? (presence.inDeebMode ? 'deep' : 'free') : 'unknown'}
        aria-hidden="true"
      >
        {presence?.inDeebMode ? (
          <span key="plug" className="wall-plug" />
        ) : (
          <span key="initial" translate="no">
            {[...name][0]?.toUpperCase()}
          </span>
        )}
      </span>
      <span className="wall-name" translate="no" aria-hidden="true">
        {name}
      </span>
      <span className="wall-time" aria-hidden="true">
        {presence?.inDeebMode ? <WallTime presence={presence} now={now} /> : null}
      </span>
      <span className="sr-only">
        <span>{[shownName(person), ...spoken].join(' ')} </span>
        {presence ? <MemberState presence={presence} /> : null}
      </span>
    </>
  )
}

/** An arrow and the time to come back, as long as that is ahead; else how long deeb mode has been on, `0:52`. */
function WallTime({ presence, now }: { presence: Presence; now: Date }) {
  const comeBack = comeBackAt(presence, now)
  if (comeBack)
    return (
      <>
        <ArrowRight size={12} className="wall-arrow rtl:-scale-x-100" />
        <span>{timeText(comeBack)}</span>
      </>
    )
  return presence.since ? <span>{formatClock(elapsedSeconds(new Date(presence.since), now)).slice(0, -3)}</span> : null
}

/** Now, rendered again each minute while somebody is in deeb mode. */
export function useMinute(members: Member[]): Date {
  return useNow(
    members.some(({ presence }) => presence?.inDeebMode),
    { stepOf: (now) => Math.floor(now.getTime() / MINUTE_MS) },
  )
}
