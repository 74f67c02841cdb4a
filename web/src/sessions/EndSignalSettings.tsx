import { useState } from 'react'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { availableSignals, type EndSignal, endSignals, setEndSignal } from './end-signals.ts'

const LABEL: Record<EndSignal, string> = {
  sound: 'Sound at the end',
  vibration: 'Vibration at the end',
  notification: 'Notification at the end',
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
    <div className="border-b border-line py-1 text-body">
      <p className="pt-2 text-note text-soft">
        When the length that you chose for a session is reached, on this device:
      </p>
      {availableSignals().map((signal) => (
        <SwitchRow
          key={signal}
          label={LABEL[signal]}
          checked={signals.includes(signal)}
          onChange={(isOn) => void change(signal, isOn)}
        />
      ))}
      <FormError>
        {isBlocked ? 'Notifications are blocked. Allow them for this page in the settings of your browser.' : undefined}
      </FormError>
    </div>
  )
}
