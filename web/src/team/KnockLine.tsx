import { shownName } from '@deeb/core/account/display-name'
import type { KnockAnswer } from '@deeb/core/alerts/knock-api'
import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/knocks'
import { useRef } from 'react'
import { focusHeading } from '../ui/ScreenHeading.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useAnswerKnock } from './knock-queries.ts'

const ANSWERS: [KnockAnswer, () => string][] = [
  ['now', texts.now],
  ['soon', texts.soon],
  ['later', texts.later],
]

/** A second press so soon was meant for the first knock, and another one has taken its place. */
const DOUBLE_PRESS_MS = 600

/** On Home: a colleague for whom it can't wait, and three answers. */
export default function KnockLine({ person }: { person: Person }) {
  const { mutate } = useAnswerKnock()
  const answeredMs = useRef(Number.NEGATIVE_INFINITY)
  function answer(answer: KnockAnswer): void {
    const nowMs = performance.now()
    if (nowMs - answeredMs.current < DOUBLE_PRESS_MS) return
    answeredMs.current = nowMs
    mutate({ userId: person.id, answer })
    // The line goes, with the focus.
    focusHeading()
  }
  return (
    <div className="home-notice">
      <p role="alert" className="text-body text-pretty wrap-anywhere">
        {texts.cantWaitFor({ name: shownName(person) })}
      </p>
      <div className="-my-2 flex w-full flex-wrap gap-x-4">
        {ANSWERS.map(([value, text]) => (
          <TextButton key={value} onClick={() => answer(value)}>
            {text()}
          </TextButton>
        ))}
      </div>
    </div>
  )
}
