import type { FocusSession } from '@deeb/core/focus/api'
import {
  MAX_TARGET_MINUTES,
  offeredTargets,
  shortestTarget,
  TARGET_STEP_MINUTES,
  targetEnd,
} from '@deeb/core/focus/target'
import * as texts from '@deeb/texts/homeSheets'
import { useState, useSyncExternalStore } from 'react'
import { timeText } from '../device/local-time.ts'
import type { Home } from '../focus/day-queries.ts'
import { usePending } from '../focus/queue/switch-queue.ts'
import { useSetTarget } from '../focus/use-set-target.ts'
import { membersOf } from '../team/members.ts'
import { useTeam } from '../team/team-queries.ts'
import { Button } from '../ui/Button.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { FormError } from '../ui/FormError.tsx'
import { Check } from '../ui/icons.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { WheelPicker } from '../ui/WheelPicker.tsx'
import { lastTarget, setLastTarget } from './last-target.ts'

export interface UntilProps {
  home: Home
  session: FocusSession
  elapsedSeconds: number
}

interface UntilSheetProps extends UntilProps {
  onClose: () => void
}

/** The choice of a target: the last one first, the usual ones, an own length, or no end. */
export default function UntilSheet({ home, session, elapsedSeconds, onClose }: UntilSheetProps) {
  const { targetMinutes } = session
  const setTarget = useSetTarget(session)
  const [busy, run, failure] = useBusy()
  const isOffline = useIsOffline(session)
  const isDisabled = busy || isOffline
  const [last] = useState(lastTarget)
  const first = [last, targetMinutes].filter((minutes) => typeof minutes === 'number')
  const endOf = (minutes: number) => timeText(targetEnd({ ...session, targetMinutes: minutes }) ?? new Date())

  function choose(minutes: number | null): void {
    if (minutes !== null) setLastTarget(minutes)
    void run(() => setTarget(minutes).then(onClose, () => undefined))
  }
  return (
    <Sheet title={texts.untilWhen()} onDismiss={onClose}>
      <p className="mt-2 text-body text-pretty text-soft">
        {isOffline ? <span>{texts.offline()}</span> : <WhatFor home={home} />}
      </p>
      <FormError>{failure}</FormError>
      <ul className="mt-3">
        {offeredTargets(first, elapsedSeconds).map((minutes) => (
          <Choice
            key={minutes}
            label={texts.length({ count: minutes })}
            value={endOf(minutes)}
            isChosen={minutes === targetMinutes}
            isDisabled={isDisabled}
            onChoose={() => choose(minutes)}
          />
        ))}
        <OwnLength
          targetMinutes={targetMinutes}
          shortest={shortestTarget(elapsedSeconds)}
          endOf={endOf}
          isDisabled={isDisabled}
          onChoose={choose}
        />
        <Choice
          label={texts.noEnd()}
          isChosen={targetMinutes === undefined}
          isDisabled={isDisabled}
          onChoose={() => choose(null)}
        />
      </ul>
    </Sheet>
  )
}

/** A target is the user's own, until somebody else sees it. */
function WhatFor({ home }: Pick<UntilProps, 'home'>) {
  const { data: team } = useTeam({ enabled: home.profile.companyDomain !== null })
  return (
    <>
      <span>{texts.softEnd()}</span> {team && membersOf(team).length > 0 ? <span>{texts.colleaguesSee()}</span> : null}
    </>
  )
}

interface ChoiceProps {
  label: string
  value?: string
  isChosen: boolean
  isDisabled: boolean
  onChoose: () => void
}

function Choice({ label, value, isChosen, isDisabled, onChoose }: ChoiceProps) {
  return (
    <li className="border-line not-first:border-t">
      <button
        type="button"
        aria-pressed={isChosen}
        aria-disabled={isDisabled || undefined}
        onClick={() => {
          if (!isDisabled) onChoose()
        }}
        className={`flex min-h-14 w-full items-center gap-3 rounded-bar py-1 text-start ${isDisabled ? 'text-soft' : ''}`}
      >
        <span className="text-name">{label}</span>
        {isChosen ? <Check size={20} strokeWidth={1.75} /> : null}
        {value ? <span className="ms-auto text-body text-soft">{value}</span> : null}
      </button>
    </li>
  )
}

interface OwnLengthProps {
  targetMinutes: number | undefined
  shortest: number | null
  endOf: (minutes: number) => string
  isDisabled: boolean
  onChoose: (minutes: number) => void
}

function OwnLength({ targetMinutes, shortest, endOf, isDisabled, onChoose }: OwnLengthProps) {
  const [isOpen, setIsOpen] = useState(false)
  // As when the sheet opened: the rows of a wheel must not change.
  const [min] = useState(shortest)
  const [minutes, setMinutes] = useState(Math.max(min ?? 0, targetMinutes ?? 60))
  if (min === null) return null
  return (
    <Disclosure
      label={texts.ownLength()}
      value={isOpen ? endOf(minutes) : ''}
      open={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      <WheelPicker
        label={texts.minutes()}
        value={minutes}
        min={min}
        max={MAX_TARGET_MINUTES}
        step={TARGET_STEP_MINUTES}
        onChange={setMinutes}
      />
      <div className="mt-4">
        <Button kind="primary" busy={isDisabled} onClick={() => onChoose(minutes)}>
          {texts.setLength({ count: minutes })}
        </Button>
      </div>
    </Disclosure>
  )
}

/** Whether a change needs the network and there is none. A target that is set before the start is sent goes with it. */
function useIsOffline({ id }: FocusSession): boolean {
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine)
  const isStartPending = usePending().some(({ to, sessionId }) => to === 'on' && sessionId === id)
  return !isOnline && !isStartPending
}

function onNetworkChange(listener: () => void): () => void {
  const ended = new AbortController()
  window.addEventListener('online', listener, { signal: ended.signal })
  window.addEventListener('offline', listener, { signal: ended.signal })
  return () => ended.abort()
}
