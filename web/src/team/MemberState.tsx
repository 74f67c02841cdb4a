import { comeBackAt } from '@deeb/core/presence/come-back'
import type { Presence } from '@deeb/core/presence/presence'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { timeText } from '../device/local-time.ts'
import { useNow } from '../focus/use-now.ts'
import { withElements } from '../ui/with-elements.tsx'

/** Whether somebody is in deeb mode, and the time. A dot and a text: colour alone is not accessible. */
export function MemberState({ presence }: { presence: Presence }) {
  const { inDeebMode } = presence
  return (
    <>
      <span className="flex items-center gap-2">
        <span className={`size-2 flex-none rounded-full ${inDeebMode ? 'bg-green' : 'bg-edge'}`} aria-hidden="true" />
        <span>{inDeebMode ? commonTexts.inDeebMode() : texts.available()}</span>
      </span>
      <PresenceTime presence={presence} />
    </>
  )
}

/** MemberState at the end of a row. */
export function RowState({ presence }: { presence: Presence }) {
  return (
    <span className={`person-state text-label ${presence.inDeebMode ? 'text-green-text' : 'text-soft'}`}>
      <MemberState presence={presence} />
    </span>
  )
}

/** Shows the time to come back, as long as that is ahead; else the time of the change. */
function PresenceTime({ presence }: { presence: Presence }) {
  const now = useNow(Boolean(presence.until))
  const comeBack = comeBackAt(presence, now)
  if (!presence.since) return null
  return (
    <span className="block font-400 text-soft">
      {comeBack ? (
        withElements(texts.backAt, { about: <About />, time: timeText(comeBack) })
      ) : (
        <span>{texts.since({ time: timeText(new Date(presence.since)) })}</span>
      )}
    </span>
  )
}

function About() {
  return (
    <>
      <span aria-hidden="true">~</span>
      <span className="sr-only">{texts.about()} </span>
    </>
  )
}
