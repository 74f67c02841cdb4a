import { APP_PATHS } from '@deeb/core/paths'
import type { EndedSession } from '@deeb/core/sessions/read-api'
import { hoursAndMinutes } from '@deeb/core/stats/ring'
import { wholeMinutes } from '@deeb/core/stats/week'
import * as texts from '@deeb/texts/sessions'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { dayText } from '../device/local-date.ts'
import { timeRangeText } from '../device/local-time.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { focusHeading } from '../ui/ScreenHeading.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { AddSession } from './AddSession.tsx'
import { FocusFrame } from './FocusFrame.tsx'
import { SessionForm } from './SessionForm.tsx'
import { toEnded, useSessions } from './sessions-queries.ts'

export default onboarded(SessionsScreen)

function SessionsScreen() {
  const { data, isError, refetch } = useSessions()
  const subPage = { title: texts.title(), parent: APP_PATHS.profile, backLabel: texts.back() }
  return (
    <FocusFrame title={subPage.title} focus={data} subPage={subPage}>
      {data ? <SessionList sessions={data.sessions} isFocusing={data.openSession !== null} /> : null}
      {!data && isError ? <LoadFailure title={texts.loadFailed()} onRetry={() => void refetch()} /> : null}
      {!data && !isError ? <SessionsSkeleton /> : null}
    </FocusFrame>
  )
}

function SessionList({ sessions, isFocusing }: { sessions: EndedSession[]; isFocusing: boolean }) {
  /** The id of the expanded row. */
  const openState = useState<string | null>(null)
  useFocusAfterRemoval(sessions.length)
  return (
    <main className="columns flex-1 pb-5">
      <div className="wide:order-last">
        <p className="text-body text-pretty text-soft">
          {isFocusing ? `${texts.intro()} ${texts.whileRunning()}` : texts.intro()}
        </p>
        <div className="mt-4">
          <AddSession sessions={sessions} isFocusing={isFocusing} />
        </div>
      </div>
      <div className="wide:-mt-6">
        {sessions.length === 0 ? <Empty /> : null}
        {[...byDay(sessions)].map(([day, ofDay]) => (
          <section key={day} className="mt-6">
            <h2 className="text-label text-soft first-letter:uppercase">{day}</h2>
            <DayStrip day={toEnded(ofDay[0] as EndedSession).startedAt} sessions={sessions} />
            <Rows sessions={ofDay.filter((session) => !isShort(session))} openState={openState}>
              <ShortSessions sessions={ofDay.filter(isShort)} openState={openState} />
            </Rows>
          </section>
        ))}
      </div>
    </main>
  )
}

const DAY_HOURS = 24

/** The day from midnight to midnight by the clock, with what any session has of it, and marks at 6, 12 and 18. The rows say the same. */
function DayStrip({ day, sessions }: { day: Date; sessions: EndedSession[] }) {
  const [begin, end] = [0, 1].map((more) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + more)) as [
    Date,
    Date,
  ]
  const hourOf = (time: Date) =>
    time >= end ? DAY_HOURS : time <= begin ? 0 : time.getHours() + time.getMinutes() / 60
  return (
    <svg
      viewBox={`0 0 ${DAY_HOURS} 1`}
      preserveAspectRatio="none"
      className="mt-2 block h-2 w-full rounded-full bg-line fill-ink stroke-ground forced-colors:border forced-colors:bg-ground"
      aria-hidden="true"
    >
      <path d="M6 0v1M12 0v1M18 0v1" vectorEffect="non-scaling-stroke" />
      {sessions.map((session) => {
        const { startedAt, endedAt } = toEnded(session)
        const [from, to] = [hourOf(startedAt), hourOf(endedAt)]
        // In the hour that is twice in a day, a session may end before it begins by the clock.
        return to > from ? <rect key={session.id} x={from} width={to - from} height={1} stroke="none" /> : null
      })}
    </svg>
  )
}

interface RowsProps {
  sessions: EndedSession[]
  openState: [openId: string | null, setOpenId: (id: string | null) => void]
}

/** One row per session, which expands to its form, and `children` as the last row. */
function Rows({ sessions, openState: [openId, setOpenId], children }: RowsProps & { children?: ReactNode }) {
  return (
    <ul>
      {sessions.map((session) => (
        <Disclosure
          key={session.id}
          {...wordsOf(session)}
          open={session.id === openId}
          onToggle={() => setOpenId(session.id === openId ? null : session.id)}
        >
          <SessionForm session={session} onDone={() => setOpenId(null)} />
        </Disclosure>
      ))}
      {children}
    </ul>
  )
}

/** The sessions under a minute, in one row that expands to a list. */
function ShortSessions({ sessions, openState }: RowsProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (sessions.length === 0) return null
  return (
    <Disclosure
      label={texts.shortSessions({ count: sessions.length })}
      value=""
      open={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      <div className="ps-4">
        <Rows sessions={sessions} openState={openState} />
      </div>
    </Disclosure>
  )
}

/** Groups the sessions by the day on which they began. Keeps their order. */
function byDay(sessions: EndedSession[]): Map<string, EndedSession[]> {
  const days = new Map<string, EndedSession[]>()
  for (const session of sessions) {
    const day = dayText(new Date(session.startedAt))
    days.set(day, [...(days.get(day) ?? []), session])
  }
  return days
}

/** Start, end and duration: `09:00–10:00`, `1h 0m`. Shows seconds below a minute. */
function wordsOf(session: EndedSession): { label: string; value: string } {
  const { startedAt, endedAt } = toEnded(session)
  const seconds = secondsOf(session)
  return {
    label: timeRangeText(startedAt, endedAt),
    value: isShort(session) ? `${seconds}s` : hoursAndMinutes(wholeMinutes(seconds)),
  }
}

function secondsOf(session: EndedSession): number {
  const { startedAt, endedAt } = toEnded(session)
  return (endedAt.getTime() - startedAt.getTime()) / 1000
}

function isShort(session: EndedSession): boolean {
  return secondsOf(session) < 60
}

/** Moves the keyboard focus to the heading when the row that had it was removed. */
function useFocusAfterRemoval(count: number): void {
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) focusHeading()
    before.current = count
  }, [count])
}

function Empty() {
  return (
    <div className="mt-6 border-t border-line pt-6">
      <p className="text-name">{texts.none()}</p>
      <p className="mt-1 text-body text-soft">{texts.noneNote()}</p>
    </div>
  )
}

function SessionsSkeleton() {
  return (
    <ScreenSkeleton className="columns flex-1 pb-5">
      <div className="wide:order-last">
        <Skeleton shape="line" className="mt-1 h-10" />
      </div>
      <div className="wide:-mt-6">
        {['a', 'b', 'c', 'd'].map((row) => (
          <div key={row} className="mt-8 flex justify-between">
            <Skeleton shape="line" className="h-5 w-28 max-w-2/5" />
            <Skeleton shape="line" className="h-5 w-16 max-w-2/5" />
          </div>
        ))}
      </div>
    </ScreenSkeleton>
  )
}
