import type { Circle } from '@deeb/core/circles/api'
import type { OwnQuietTimes } from '@deeb/core/circles/quiet-api'
import * as texts from '@deeb/texts/quiet'
import { useState } from 'react'
import { currentTimeZone } from '../device/local-time.ts'
import { allowPushOnce } from '../push/push.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { withElements } from '../ui/with-elements.tsx'
import { saveCalendarFile } from './calendar-file.ts'
import { QuietTimesDialog } from './QuietTimesDialog.tsx'
import { useSkipWeek, useTakePart } from './quiet-queries.ts'
import { quietTimeText } from './quiet-text.ts'

interface QuietTimesProps {
  circle: Circle
  quiet: OwnQuietTimes
}

/** The quiet times of a circle, and whether its user takes part. The keeper sets them. */
export function QuietTimes({ circle, quiet }: QuietTimesProps) {
  const [isChanging, setIsChanging] = useState(false)
  const { timeZone, times } = quiet
  if (times.length === 0 && !circle.isKeeper) return null
  return (
    <section className="mt-5 border-line border-t pt-4">
      <h2 className="text-name">{texts.title()}</h2>
      <p className="mt-1 text-note text-pretty text-soft">{texts.intro()}</p>
      {times.length > 0 ? (
        <>
          <ul className="mt-2 text-body">
            {times.map((time) => (
              <li key={JSON.stringify(time)}>{quietTimeText(time)}</li>
            ))}
          </ul>
          {timeZone === null || timeZone === currentTimeZone() ? null : (
            <p className="text-note text-soft">{withElements(texts.inZone, { zone: <bdi>{timeZone}</bdi> })}</p>
          )}
          <Own circle={circle} quiet={quiet} />
        </>
      ) : null}
      <div className="mt-2 flex flex-wrap gap-x-5 gap-y-2">
        {circle.isKeeper ? (
          <TextButton onClick={() => setIsChanging(true)}>{times.length > 0 ? texts.change() : texts.set()}</TextButton>
        ) : null}
        {times.length > 0 && timeZone !== null ? (
          <TextButton tone="soft" onClick={() => saveCalendarFile(circle.id, timeZone, times)}>
            {texts.calendarFile()}
          </TextButton>
        ) : null}
      </div>
      {isChanging ? <QuietTimesDialog circle={circle} quiet={quiet} onClose={() => setIsChanging(false)} /> : null}
    </section>
  )
}

/** Whether the user takes part, and how. Shows a press before the server has answered. */
function Own({ circle, quiet }: QuietTimesProps) {
  const ownId = useSignedInUserId() ?? ''
  const taking = useTakePart(circle)
  const skipping = useSkipWeek(circle)
  const sent = taking.isPending ? taking.variables : undefined
  const takesPart = sent?.takesPart ?? quiet.takesPart
  const notifies = sent?.notifies ?? quiet.notifies
  const switchesOn = sent?.switchesOn ?? quiet.switchesOn
  const skips = skipping.isPending ? skipping.variables : quiet.skips
  const isBusy = taking.isPending || skipping.isPending
  const agreedTo = { timeZone: quiet.timeZone ?? '', times: quiet.times }
  return (
    <div className="mt-2">
      <SwitchRow
        label={texts.takePart()}
        checked={takesPart}
        disabled={isBusy}
        onChange={(takesPart) => taking.mutate({ takesPart })}
      />
      {takesPart ? (
        <>
          <SwitchRow
            label={texts.notify()}
            checked={notifies}
            disabled={isBusy}
            onChange={(notifies) => {
              taking.mutate({ notifies })
              if (notifies) allowPushOnce(ownId).catch(() => undefined)
            }}
          />
          <SwitchRow
            label={texts.switchOn()}
            checked={switchesOn}
            disabled={isBusy}
            onChange={(switchesOn) => taking.mutate(switchesOn ? { switchesOn, agreedTo } : { switchesOn })}
          />
          <p className="text-note text-pretty text-soft">{texts.switchOnNote()}</p>
          <SwitchRow
            label={texts.skip()}
            checked={skips}
            disabled={isBusy}
            onChange={(skips) => skipping.mutate(skips)}
          />
        </>
      ) : null}
    </div>
  )
}
