import { Shortcuts } from './shortcuts/Shortcuts.tsx'
import { Alerts } from './team/Alerts.tsx'

/** What every screen has for a signed-in user, beside what it shows. */
export default function Background({ userId }: { userId: string }) {
  return (
    <>
      <Shortcuts userId={userId} />
      <Alerts userId={userId} />
    </>
  )
}
