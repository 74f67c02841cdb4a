import type { Profile } from '@deeb/core/account/api'
import { Switch } from '../ui/Switch.tsx'
import { showFailure, withdrawFailures } from '../ui/toast.ts'
import { useUpdateRequestEmails } from './account-queries.ts'

const LABEL = 'Email me about connection requests'

/** The switch for emails about connection requests. A person without a company gets no requests, and no switch. */
export function RequestEmails({ profile }: { profile: Profile | undefined }) {
  const { mutate, isPending, variables } = useUpdateRequestEmails()
  if (profile?.companyDomain === null) return null
  function change(requestEmails: boolean): void {
    withdrawFailures()
    mutate(requestEmails, { onError: () => showFailure('This setting could not be saved. Please try again.') })
  }
  return (
    <div className="flex min-h-13 items-center justify-between gap-x-4 border-b border-line py-1 text-body">
      {/* The switch has the same name. */}
      <span aria-hidden="true">{LABEL}</span>
      <Switch
        label={LABEL}
        checked={isPending ? variables : (profile?.requestEmails ?? true)}
        disabled={isPending || profile?.requestEmails === undefined}
        onChange={change}
      />
    </div>
  )
}
