import * as texts from '@deeb/texts/push'
import { IS_NATIVE } from '../device/platform.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { mayNotify, type PushAbility, pushAbility } from './push.ts'
import { usePush, useSetReminders, useSwitchPush } from './push-queries.ts'

const NOTES: Record<PushAbility, () => string> = {
  able: texts.able,
  refused: texts.refused,
  install: texts.install,
  unable: texts.unable,
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
          if (!isDone) showFailure(texts.notAllowed())
        },
        () => showFailure(texts.notSaved()),
      ),
    )
  }
  return (
    <div className="py-1">
      <SwitchRow
        label={texts.deviceLabel()}
        checked={isBusy && switching.isPending ? switching.variables : isOn}
        disabled={isBusy || ability !== 'able'}
        onChange={switchPush}
      />
      <p className="pb-2 text-note text-soft">{NOTES[ability]()}</p>
      {isOn ? (
        <SwitchRow
          label={texts.remindMe()}
          checked={reminding.isPending ? reminding.variables : data.remindsStillOn}
          disabled={isBusy}
          onChange={(wanted) =>
            void run(() => reminding.mutateAsync(wanted).catch(() => showFailure(texts.notSaved())))
          }
        />
      ) : null}
      <FormError>{failure}</FormError>
    </div>
  )
}
