import { useSignedInUserId } from '../auth-session.ts'
import { IS_NATIVE } from '../platform.ts'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { mayNotify, type PushAbility, pushAbility } from './push.ts'
import { usePush, useSetReminders, useSwitchPush } from './push-queries.ts'

const NOT_SAVED = 'This setting could not be saved. Please try again.'

const NOTES: Record<PushAbility, string> = {
  able: 'Tells you, also while deeb is closed, when a colleague is free for whom you pressed the bell.',
  refused: 'Your browser blocks notifications of deeb. Allow them in its settings for this site, then come back.',
  install:
    'On iPhone and iPad, add deeb to the home screen first: press Share, then Add to Home Screen, and open it there.',
  unable: 'This browser cannot show notifications of deeb.',
}

/** The settings of push messages: on this device, and the reminder of a session that may be forgotten. */
export default function PushSettings() {
  const userId = useSignedInUserId() ?? ''
  const { data } = usePush()
  const switching = useSwitchPush(userId)
  const reminding = useSetReminders()
  const [isBusy, run, failure] = useBusy()
  if (IS_NATIVE || !data || data.publicKey === null) return null
  const ability = pushAbility()
  const isOn = data.isOn && mayNotify()

  function switchPush(wanted: boolean): void {
    void run(() =>
      switching.mutateAsync(wanted).then(
        (isDone) => {
          if (!isDone) showFailure('Your browser did not allow it.')
        },
        () => showFailure(NOT_SAVED),
      ),
    )
  }
  return (
    <div className="border-b border-line py-1 text-body">
      <SwitchRow
        label="Notifications on this device"
        checked={isBusy && switching.isPending ? switching.variables : isOn}
        disabled={isBusy || ability !== 'able'}
        onChange={switchPush}
      />
      <p className="pb-2 text-note text-soft">{NOTES[ability]}</p>
      {isOn ? (
        <SwitchRow
          label="Remind me that deeb mode is still on"
          checked={reminding.isPending ? reminding.variables : data.remindsStillOn}
          disabled={isBusy}
          onChange={(wanted) => void run(() => reminding.mutateAsync(wanted).catch(() => showFailure(NOT_SAVED)))}
        />
      ) : null}
      <FormError>{failure}</FormError>
    </div>
  )
}
