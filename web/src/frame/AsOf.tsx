import * as texts from '@deeb/texts/common'
import { byServerClock, serverNow } from '../calls/server-clock.ts'
import { timeOrDayText } from '../device/local-date.ts'
import { TextButton } from '../ui/TextLink.tsx'

interface AsOfProps {
  /** The time of the shown data: see useAsOf(). */
  asOf: number | null
  /** A sentence about old data. */
  note?: string
  read: { isError: boolean; isFetching: boolean; refetch: () => unknown }
  /** For a screen without controls, which reads again by itself. */
  hasButton?: boolean
}

/** Says that a screen shows old data. Nothing while they are current, or are being read. */
export function AsOf({ asOf, note, read: { isError, isFetching, refetch }, hasButton = true }: AsOfProps) {
  if (asOf === null || (isFetching && !isError)) return null
  const time = timeOrDayText(byServerClock(asOf), serverNow())
  return (
    <div role="status" className="mb-3">
      <p className="text-body text-pretty text-soft">{[texts.asOf({ time }), note].filter(Boolean).join(' ')}</p>
      {hasButton ? <TextButton onClick={() => void refetch()}>{texts.tryAgain()}</TextButton> : null}
    </div>
  )
}
