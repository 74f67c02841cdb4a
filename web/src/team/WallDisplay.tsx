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
import { TeamQuietTimes } from './TeamQuietTimes.tsx'
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
      <TeamQuietTimes circles={team.circles ?? []} />
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

/** Columns and rows in which circles are largest, on a screen on its side and on one that stands. */
function gridOf(count: number): CSSProperties {
  const [across, upright] = [columnsOf(count, 2.1), columnsOf(count, 0.6)]
  return {
    '--across': across,
    '--across-rows': Math.ceil(count / across) || 1,
    '--upright': upright,
    '--upright-rows': Math.ceil(count / upright) || 1,
  } as CSSProperties
}

/** Columns for the largest circles in a room, which is `shape` as wide as it is high. The style sheet computes the circle in the same way. */
function columnsOf(count: number, shape: number): number {
  const sizeOf = (columns: number) => Math.min(shape / columns / 1.3, 1 / Math.ceil(count / columns) / 1.7)
  const choices = Array.from({ length: Math.max(1, count) }, (_, n) => n + 1)
  return choices.reduce((best, columns) => (sizeOf(columns) > sizeOf(best) ? columns : best))
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
