import type { Profile } from '@deeb/core/account/profile'
import * as texts from '@deeb/texts/settings'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useUpdateRequestEmails } from './account-queries.ts'

/** The switch for emails about connection requests. A person without a company gets no requests, and no switch. */
export function RequestEmails({ profile }: { profile: Profile | undefined }) {
  const { mutateAsync, isPending, variables } = useUpdateRequestEmails()
  const [, run, failure] = useBusy()
  if (profile?.companyDomain === null) return null
  function change(requestEmails: boolean): void {
    void run(() => mutateAsync(requestEmails).catch(() => showFailure(texts.settingNotSaved())))
  }
  return (
    <div className="py-1">
      <SwitchRow
        label={texts.requestEmails()}
        checked={isPending ? variables : (profile?.requestEmails ?? true)}
        disabled={isPending || profile?.requestEmails === undefined}
        onChange={change}
      />
      <FormError>{failure}</FormError>
    </div>
  )
}
