import * as texts from '@deeb/texts/team'
import { FormDialog } from '../ui/FormDialog.tsx'
import { useLeaveCircle } from './circle-changes.ts'
import { succeeded } from './team-queries.ts'

/** Asks before the user leaves a circle. */
export function LeaveDialog({ circle, onClose }: { circle: { id: string; name: string }; onClose: () => void }) {
  const leave = useLeaveCircle()
  return (
    <FormDialog
      title={texts.leaveTitle({ circle: circle.name })}
      description={texts.leaveDescription({ circle: circle.name })}
      action={texts.leave()}
      kind="destructive"
      onSubmit={() => succeeded(leave.mutateAsync(circle))}
      onClose={onClose}
    />
  )
}
