import { inDeebModeFirst } from '@deeb/core/team/connection'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { type ComponentProps, type CSSProperties, useEffect, useState } from 'react'
import { useIsSilent } from '../calls/use-is-silent.ts'
import { useLightLook } from '../device/look.ts'
import { AsOf } from '../frame/AsOf.tsx'
import { Button } from '../ui/Button.tsx'
import { useTitle } from '../ui/use-title.ts'
import { membersOf, shortNames } from './members.ts'
import type { ShownTeam } from './team-cache.ts'
import { useMinute, WallHeadline, WallPerson } from './Wall.tsx'

const SHOWS_LEAVE_MS = 5_000

interface WallDisplayProps {
  team: ShownTeam
  read: ComponentProps<typeof AsOf>['read']
  onLeave: () => void
}

/** The wall for a screen in the room: it fills the screen, keeps it awake and has no controls. A press shows the way out, Escape takes it. */
export function WallDisplay({ team, read, onLeave }: WallDisplayProps) {
  const members = membersOf(team)
  useLightLook()
  useTitle(commonTexts.team())
  useKeepAwake()
  const isSilent = useIsSilent()
  const now = useMinute(members)
  const [isLeaveShown, showLeave] = useShortly(SHOWS_LEAVE_MS)
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && onLeave()
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  }, [onLeave])
  const names = shortNames(members)
  return (
    <main className="wall-display" onPointerDown={showLeave} style={gridOf(members.length)}>
      <h1 className="sr-only">{commonTexts.team()}</h1>
      {team.asOf === null ? <WallHeadline members={members} /> : null}
      <AsOf asOf={team.asOf} note={texts.presenceUnknown()} read={read} hasButton={false} />
      {isSilent ? <p className="text-body text-soft">{texts.changesArriveLate()}</p> : null}
      <ul aria-label={texts.members()} className="wall">
        {inDeebModeFirst(members).map((member) => (
          <li key={member.person.id} className="wall-person">
            <WallPerson member={member} name={names.get(member) ?? ''} now={now} />
          </li>
        ))}
      </ul>
      <div className="wall-leave" data-shown={isLeaveShown || undefined}>
        <Button kind="secondary" onClick={onLeave}>
          {texts.leaveWall()}
        </Button>
      </div>
    </main>
  )
}

/** Columns and rows that fill a screen on its side, and one that stands. */
function gridOf(count: number): CSSProperties {
  const columns = (shape: number) => Math.max(1, Math.ceil(Math.sqrt(count * shape)))
  const [across, upright] = [columns(2), columns(0.6)]
  return {
    '--across': across,
    '--across-rows': Math.ceil(count / across) || 1,
    '--upright': upright,
    '--upright-rows': Math.ceil(count / upright) || 1,
  } as CSSProperties
}

/** True for a time after each call. */
function useShortly(ms: number): [boolean, () => void] {
  /** The calls of that time: each begins it again. */
  const [calls, setCalls] = useState(0)
  useEffect(() => {
    if (calls === 0) return
    const timer = setTimeout(() => setCalls(0), ms)
    return () => clearTimeout(timer)
  }, [calls, ms])
  return [calls > 0, () => setCalls((count) => count + 1)]
}

/** Keeps the screen on while the page is shown, where the browser can. It releases the lock whenever the page is hidden. */
function useKeepAwake(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined
    const keep = () => {
      if (!document.hidden) lock = navigator.wakeLock?.request('screen').catch(() => undefined)
    }
    keep()
    document.addEventListener('visibilitychange', keep)
    return () => {
      document.removeEventListener('visibilitychange', keep)
      void lock?.then((held) => held?.release())
    }
  }, [])
}
