import { Live } from './live/Live.tsx'
import { EndSignal } from './sessions/EndSignal.tsx'
import { Shortcuts } from './shortcuts/Shortcuts.tsx'
import { Alerts } from './team/Alerts.tsx'

/** What every signed-in screen has, but none needs for its first paint. Without it, screens are up to date when they are opened. */
export default function OnEveryScreen({ userId }: { userId: string }) {
  return (
    <>
      <Live userId={userId} />
      <Shortcuts userId={userId} />
      <EndSignal />
      <Alerts userId={userId} />
    </>
  )
}
