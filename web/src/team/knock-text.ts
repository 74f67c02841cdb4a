import type { KnockAnswer } from '@deeb/core/alerts/knock-api'
import * as texts from '@deeb/texts/knocks'

/** `Ann: in 10 minutes`. */
export function answerText(name: string, answer: KnockAnswer): string {
  const text = { now: texts.comesNow, soon: texts.comesSoon, later: texts.comesLater }[answer]
  return text({ name })
}

/** The same; before the answer `not seen yet`. */
export function knockText(name: string, answer: KnockAnswer | null): string {
  return answer === null ? texts.notSeen() : answerText(name, answer)
}
