import type { SignState } from '@deeb/core/signs/sign'
import * as texts from '@deeb/texts/signPage'

/** The texts of a sign's page, apart from its picture. */
export interface SignText {
  words: string
  times: string
}

/** `timeOf` writes an instant as local time. */
export function signText({ state, since, until, dots }: SignState, timeOf: (instant: string) => string): SignText {
  if (dots) return { words: circleWords(dots), times: '' }
  const words = state === 'deep' ? texts.deep() : texts.free()
  if (until) return { words, times: texts.untilTime({ time: timeOf(until) }) }
  return { words, times: since ? texts.sinceTime({ time: timeOf(since) }) : '' }
}

function circleWords(dots: NonNullable<SignState['dots']>): string {
  if (dots.length === 0) return texts.nobody()
  const deep = dots.filter(({ state }) => state === 'deep').length
  return texts.deepOf({ deep, all: dots.length })
}
