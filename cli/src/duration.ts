import { MAX_TARGET_MINUTES, MIN_TARGET_MINUTES } from '@deeb/core/focus/target'
import * as texts from '@deeb/texts/cli'
import { EXIT, Problem } from './exit.ts'

/** The minutes of a length such as `50m`, `1h`, `1h30m` or `90`. */
export function parseMinutes(text: string): number {
  const [, hours, minutes] = /^(?:(\d{1,2})h)?(?:(\d{1,3})m?)?$/.exec(text) ?? []
  const total = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  if (total >= MIN_TARGET_MINUTES && total <= MAX_TARGET_MINUTES) return total
  const limits = { min: MIN_TARGET_MINUTES, max: MAX_TARGET_MINUTES / 60 }
  throw new Problem(EXIT.usage, texts.lengthInvalid({ text, ...limits }))
}
