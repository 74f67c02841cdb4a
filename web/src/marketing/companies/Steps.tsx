import { hourMarkAngles, ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import * as texts from '@deeb/texts/site'
import type { ReactNode } from 'react'
import { Ring } from '../../ui/Ring.tsx'
import { RingTime } from '../../ui/RingTime.tsx'
import { WeekBars } from '../../ui/WeekBars.tsx'
import { Ear } from '../drawings/Ear.tsx'
import { SAMPLE_WEEK } from '../drawings/sample-week.ts'

const SESSION = { minutes: 74, goalMinutes: 120 }

/** Plug, ring and bars: the three steps with pictures, across the whole window. */
export function Steps() {
  return (
    <section aria-labelledby="steps" className="section">
      <h2 id="steps" className="sr-only">
        {texts.steps()}
      </h2>
      <ol className="steps">
        <Step look="on-white" number={1} title={texts.wearTitle()} text={texts.wearText()}>
          <Ear plug="in" className="step-ear" />
        </Step>
        <Step look="on-black" number={2} title={texts.workTitle()} text={texts.workText()}>
          <div className="step-ring">
            <Ring
              {...ringFill(SESSION.minutes, SESSION.goalMinutes)}
              hourMarks={hourMarkAngles(SESSION.goalMinutes)}
              label={spokenDuration(SESSION.minutes)}
            >
              <RingTime {...ringTime(SESSION.minutes)} />
            </Ring>
          </div>
        </Step>
        <Step look="on-green" number={3} title={texts.trackTitle()} text={texts.trackText()}>
          <div className="step-bars" inert>
            <WeekBars label={texts.aWeek()} bars={SAMPLE_WEEK.bars} />
          </div>
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  look: 'on-white' | 'on-black' | 'on-green'
  number: number
  title: string
  text: string
  /** The picture. It is decorative: the text says the same. */
  children: ReactNode
}

function Step({ look, number, title, text, children }: StepProps) {
  return (
    <li className={`step ${look}`}>
      <div className="step-picture" aria-hidden="true">
        {children}
      </div>
      <p className="step-number" aria-hidden="true">
        {number}
      </p>
      <h3 className="heading-3">{title}</h3>
      <p className="step-text">{text}</p>
    </li>
  )
}
