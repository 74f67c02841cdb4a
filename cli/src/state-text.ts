import { hoursAndMinutes } from '@deeb/core/stats/ring'
import type { OwnState } from './own-state.ts'

/** A state as a sentence, with times of this computer's time zone: "In deeb mode since 09:10, until about 10:00." */
export function stateText({ inDeebMode, since, until }: OwnState): string {
  if (!inDeebMode || since === null) return 'Not in deeb mode.'
  return `In deeb mode since ${clockTime(since)}${until === null ? '' : `, until about ${clockTime(until)}`}.`
}

export function lengthText(seconds: number): string {
  return hoursAndMinutes(Math.floor(seconds / 60))
}

/** A note if the clock of this computer is wrong by more than 2 minutes; null otherwise. */
export function clockNote(serverTime: string, now: Date): string | null {
  const minutes = Math.round((now.getTime() - Date.parse(serverTime)) / 60_000)
  if (Math.abs(minutes) <= 2) return null
  const direction = minutes > 0 ? 'ahead' : 'behind'
  return `The clock of this computer is ${hoursAndMinutes(Math.abs(minutes))} ${direction}. deeb counts with the clock of the server.`
}

function clockTime(instant: string): string {
  return new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
