import { FormDialog } from '../ui/FormDialog.tsx'
import { useLeaveCircle } from './circle-changes.ts'
import { succeeded } from './team-queries.ts'

/** Asks before the user leaves a circle. */
export function LeaveDialog({ circle, onClose }: { circle: { id: string; name: string }; onClose: () => void }) {
  const leave = useLeaveCircle()
  return (
    <FormDialog
      title={`Leave ${circle.name}?`}
      description={`You and its members no longer see each other's deeb mode in ${circle.name}. Nobody is told.`}
      action="Leave"
      kind="destructive"
      onSubmit={() => succeeded(leave.mutateAsync(circle))}
      onClose={onClose}
    />
  )
}
