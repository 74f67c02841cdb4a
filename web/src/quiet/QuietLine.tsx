import * as texts from '@deeb/texts/quiet'
import { useQueryClient } from '@tanstack/react-query'
import { serverNow } from '../calls/server-clock.ts'
import { timeText } from '../device/local-time.ts'
import { pressSwitch } from '../focus/use-switch-focus.ts'
import { focusHeading } from '../ui/ScreenHeading.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { type OwnQuietTime, targetUntil } from './quiet-now.ts'

/** On Home while a quiet time is under way: until when, and a button that switches on until then. */
export function QuietLine({ userId, quiet }: { userId: string; quiet: OwnQuietTime }) {
  const queryClient = useQueryClient()
  function switchOn(): void {
    const sessionId = quiet.switchOnId ?? undefined
    pressSwitch(queryClient, userId, 'on', { ...targetUntil(quiet, serverNow()), ...(sessionId && { sessionId }) })
    // The line goes, with the focus.
    focusHeading()
  }
  return (
    <div className="home-notice">
      <p role="status" className="text-body wrap-anywhere">
        {texts.until({ circle: quiet.circle, time: timeText(new Date(quiet.endsAt)) })}
      </p>
      <TextButton onClick={switchOn}>{texts.switchOnNow()}</TextButton>
    </div>
  )
}
