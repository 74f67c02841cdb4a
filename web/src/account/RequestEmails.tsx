import type { Profile } from '@deeb/core/account/profile'
import { FormError } from '../ui/FormError.tsx'
import { Switch } from '../ui/Switch.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useUpdateRequestEmails } from './account-queries.ts'

const LABEL = 'Email me about connection requests'

/** The switch for emails about connection requests. A person without a company gets no requests, and no switch. */
export function RequestEmails({ profile }: { profile: Profile | undefined }) {
  const { mutateAsync, isPending, variables } = useUpdateRequestEmails()
  const [, run, failure] = useBusy()
  if (profile?.companyDomain === null) return null
  function change(requestEmails: boolean): void {
    void run(() =>
      mutateAsync(requestEmails).catch(() => showFailure('This setting could not be saved. Please try again.')),
    )
  }
  return (
    <div className="border-b border-line py-1 text-body">
      <div className="flex min-h-11 items-center justify-between gap-x-4">
        {/* The switch has the same name. */}
        <span aria-hidden="true">{LABEL}</span>
        <Switch
          label={LABEL}
          checked={isPending ? variables : (profile?.requestEmails ?? true)}
          disabled={isPending || profile?.requestEmails === undefined}
          onChange={change}
        />
      </div>
      <FormError>{failure}</FormError>
    </div>
  )
}
