import type { OwnState } from '@deeb/core/focus/own-state'
import { hoursAndMinutes } from '@deeb/core/stats/ring'
import * as texts from '@deeb/texts/cli'
import { timeFormat } from './language.ts'

/** A state as a sentence, with times of this computer's time zone: "In deeb mode since 09:10, until about 10:00." */
export function stateText({ inDeebMode, since, until }: OwnState): string {
  if (!inDeebMode || since === null) return texts.isOff()
  const start = clockTime(since)
  return until === null ? texts.isOn({ since: start }) : texts.isOnUntil({ since: start, until: clockTime(until) })
}

export function lengthText(seconds: number): string {
  return hoursAndMinutes(Math.floor(seconds / 60))
}

/** A note if the clock of this computer is wrong by more than 2 minutes; null otherwise. */
export function clockNote(serverTime: string, now: Date): string | null {
  const minutes = Math.round((now.getTime() - Date.parse(serverTime)) / 60_000)
  if (Math.abs(minutes) <= 2) return null
  const length = hoursAndMinutes(Math.abs(minutes))
  return minutes > 0 ? texts.clockAhead({ length }) : texts.clockBehind({ length })
}

/** With spaces that `grep` finds: a terminal does not wrap at words. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}

function clockTime(instant: string): string {
  return plain(timeFormat().format(new Date(instant)))
}
