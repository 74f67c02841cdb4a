import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/site'
import * as statsTexts from '@deeb/texts/stats'
import { BottomBar } from '../../ui/BottomBar.tsx'
import { ProfileIcon, SettingsIcon, TeamIcon } from '../../ui/icons.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Ring } from '../../ui/Ring.tsx'
import { RingTime } from '../../ui/RingTime.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { WeekBars } from '../../ui/WeekBars.tsx'
import { SAMPLE_WEEK, type SampleRing } from './sample-week.ts'

const { status, percent, bars, rings } = SAMPLE_WEEK

const nothing = () => undefined

const BAR = [
  { label: commonTexts.team, icon: TeamIcon, current: false, onSelect: nothing },
  { label: commonTexts.profile, icon: ProfileIcon, current: true, onSelect: nothing },
  { label: commonTexts.settings, icon: SettingsIcon, current: false, onSelect: nothing },
]

/** The app on a phone, with deeb mode off. Built from the app's own components, so that it always matches the product. */
export function Phone() {
  return (
    <div className="phone" role="img" aria-label={texts.phone({ status, percent })}>
      <div className="phone-screen" inert>
        <div className="phone-app">
          <div className="phone-row">
            <Logo plugs="out" className="phone-logo" />
            <Switch label="deeb" checked={false} onChange={nothing} />
          </div>
          <div className="phone-row phone-status">
            <p>{status}</p>
            <p className="phone-percent">{percent}</p>
          </div>
          <WeekBars label={statsTexts.thisWeek()} bars={bars} />
          <div className="phone-rings">
            {rings.map((ring) => (
              <PhoneRing key={ring.name} {...ring} />
            ))}
          </div>
          <BottomBar items={BAR.map((item) => ({ ...item, label: item.label() }))} />
        </div>
      </div>
    </div>
  )
}

function PhoneRing({ kind, progress, excess, time, name, note }: SampleRing) {
  return (
    <div>
      <div className="phone-ring">
        <Ring kind={kind} progress={progress} excess={excess} label={name}>
          <RingTime {...time} />
        </Ring>
      </div>
      <p className="phone-ring-name">{name}</p>
      <p className="phone-ring-note">{note}</p>
    </div>
  )
}
