import { EndSignal } from './sessions/EndSignal.tsx'
import { Shortcuts } from './shortcuts/Shortcuts.tsx'

/** What every signed-in screen has, but none needs for its first paint. */
export default function OnEveryScreen({ userId }: { userId: string }) {
  return (
    <>
      <Shortcuts userId={userId} />
      <EndSignal />
    </>
  )
}
