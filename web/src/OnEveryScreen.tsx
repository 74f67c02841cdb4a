import { useEffect } from 'react'
import TappedCase from './cases/TappedCase.tsx'
import { useTap } from './cases/use-tap.ts'
import { lazyPart } from './device/lazy-part.tsx'
import { useHome } from './focus/day-queries.ts'
import { useRingWindow } from './home/ring-window.ts'
import { useLamps } from './lamp/hid.ts'
import { useFollowLanguage } from './language/use-follow-language.ts'
import { Live } from './live/Live.tsx'
import { loadAuthClient } from './session/auth-session.ts'
import { EndSignal } from './sessions/EndSignal.tsx'
import { Shortcuts } from './shortcuts/Shortcuts.tsx'
import { useSwitchOnAsked } from './shortcuts/use-switch-on-asked.ts'
import { Alerts } from './team/Alerts.tsx'
import { loadToasts } from './ui/late-toast.ts'

const SwitchOffer = lazyPart(() => import('./shortcuts/SwitchOffer.tsx'))
const QuietSwitch = lazyPart(() => import('./quiet/QuietSwitch.tsx'))
const Lamp = lazyPart(() => import('./lamp/Lamp.tsx'))
const RingOnTop = lazyPart(() => import('./home/RingOnTop.tsx'))

/**
 * Adds what every signed-in screen has, but none needs for its first paint. Without it, screens are up to date when they are opened. The
 * answer to a tap is in the same file: colleagues see a tap within a second.
 */
export default function OnEveryScreen({ userId }: { userId: string }) {
  const { isAsked, answer } = useSwitchOnAsked()
  const { tap, answer: answerTap } = useTap()
  const ringWindow = useRingWindow()
  const hasLamp = useLamps().length > 0
  const switchesOnQuietly = useHome().data?.quiet?.some(({ switchOnId }) => switchOnId !== null)
  useFollowLanguage()
  useEffect(() => {
    loadAuthClient()
    loadToasts().catch(() => undefined)
  }, [])
  return (
    <>
      <Live userId={userId} />
      <Shortcuts userId={userId} />
      <EndSignal />
      <Alerts userId={userId} />
      {isAsked ? <SwitchOffer to="on" onClose={answer} /> : null}
      {tap ? <TappedCase key={tap.code} tap={tap} onDone={answerTap} /> : null}
      {switchesOnQuietly ? <QuietSwitch userId={userId} /> : null}
      {hasLamp ? <Lamp /> : null}
      {ringWindow ? <RingOnTop ringWindow={ringWindow} /> : null}
    </>
  )
}
