import { useEffect } from 'react'
import { useReceivedAt } from '../calls/use-is-silent.ts'
import { useHome } from '../focus/day-queries.ts'
import { type HidDevice, useLamps } from './hid.ts'
import { showLamp } from './lamp-models.ts'

/** The server was silent for so long: the lamp shows no state that may have passed. */
const SILENCE_MS = 60_000

/** Calls one after another, so that the newest is the last. */
let called: Promise<unknown> = Promise.resolve()

/**
 * Makes the user's lamps red in deeb mode, in the tab that reads the live stream. They are dark without deeb mode, when the server has
 * been silent for a minute, and when the page closes.
 */
export default function Lamp() {
  const lamps = useLamps()
  const isOn = Boolean(useHome().data?.openSession)
  const receivedAt = useReceivedAt()
  // Each sign of life of the server also renews what a lamp shows for a limited time.
  useEffect(() => {
    if (receivedAt === null) return
    const knownForMs = receivedAt + SILENCE_MS - Date.now()
    show(lamps, isOn && knownForMs > 0)
    const timer = setTimeout(() => show(lamps, false), knownForMs)
    return () => clearTimeout(timer)
  }, [lamps, isOn, receivedAt])
  const isReading = receivedAt !== null
  useEffect(() => {
    if (!isReading) return
    // A page that closes cannot wait for the calls before.
    const close = () => {
      for (const lamp of lamps) showLamp(lamp, false).catch(() => undefined)
    }
    window.addEventListener('pagehide', close)
    return () => {
      window.removeEventListener('pagehide', close)
      show(lamps, false)
    }
  }, [lamps, isReading])
  return null
}

function show(lamps: readonly HidDevice[], isOn: boolean): void {
  // A lamp that was unplugged.
  for (const lamp of lamps) called = called.then(() => showLamp(lamp, isOn)).catch(() => undefined)
}
