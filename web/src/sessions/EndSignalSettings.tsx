import * as texts from '@deeb/texts/openSession'
import { useState } from 'react'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { availableSignals, type EndSignal, endSignals, setEndSignal } from './end-signals.ts'

const LABEL: Record<EndSignal, () => string> = {
  sound: texts.sound,
  vibration: texts.vibration,
  notification: texts.notification,
}

/** The switches for what tells on this device that the length of a session is reached. */
export function EndSignalSettings() {
  const [signals, setSignals] = useState(endSignals)
  const [isBlocked, setIsBlocked] = useState(false)
  async function change(signal: EndSignal, isOn: boolean): Promise<void> {
    const isAllowed = await setEndSignal(signal, isOn)
    setIsBlocked(!isAllowed)
    setSignals(endSignals())
  }
  return (
    <div className="py-1">
      <p className="pt-2 text-note text-soft">{texts.endSignals()}</p>
      {availableSignals().map((signal) => (
        <SwitchRow
          key={signal}
          label={LABEL[signal]()}
          checked={signals.includes(signal)}
          onChange={(isOn) => void change(signal, isOn)}
        />
      ))}
      <FormError>{isBlocked ? texts.blocked() : undefined}</FormError>
    </div>
  )
}
