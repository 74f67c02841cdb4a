import { useState } from 'react'
import { AppFrame } from '../AppFrame.tsx'
import { useSwitchFocus } from '../focus/use-switch-focus.ts'
import { ForgottenSession } from '../sessions/ForgottenSession.tsx'
import { useHome } from '../stats/stats-queries.ts'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { Switch } from '../ui/Switch.tsx'
import { useTitle } from '../ui/use-title.ts'
import { AccountActions } from './AccountActions.tsx'
import { ProfileDetails } from './ProfileDetails.tsx'
import { SignOutButton } from './SignOutButton.tsx'

export default function SettingsScreen() {
  const { data: home, isError, refetch } = useHome()
  const { isOn } = useSwitchFocus(home)
  useTitle('Settings', isOn ? 'In deeb mode' : undefined)
  const [preview, setPreview] = useState<'light' | 'focus'>()
  const look = preview ?? (isOn ? 'focus' : 'light')
  return (
    <AppFrame
      look={look}
      control={
        <>
          <p id="preview-note" className="text-right text-note text-soft">
            Preview only. <br />
            Start a session on Home.
          </p>
          <Switch
            label="deeb"
            describedBy="preview-note"
            checked={look === 'focus'}
            onChange={(checked) => setPreview(checked ? 'focus' : 'light')}
          />
        </>
      }
    >
      <main className="column flex flex-1 flex-col pt-2 pb-5">
        <ScreenHeading className="text-title">Settings</ScreenHeading>
        <ProfileDetails profile={home?.profile} hasFailed={isError} onRetry={() => void refetch()} />
        <AccountActions />
        <div className="mt-auto pt-8">
          <SignOutButton />
        </div>
      </main>
      <ForgottenSession session={home?.forgottenSession} />
    </AppFrame>
  )
}
