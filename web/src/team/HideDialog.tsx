import type { Person } from '@deeb/core/team/connection'
import { FormDialog } from '../ui/FormDialog.tsx'
import { useHidePerson } from './circle-changes.ts'
import { listText, shortName } from './members.ts'
import { succeeded } from './team-queries.ts'

interface HideDialogProps {
  person: Person
  /** The names of the circles that the two share. */
  circleNames: string[]
  /** The two do not see each other yet. */
  isNewcomer?: boolean
  onClose: () => void
}

/** Asks before the user and somebody in their circles are hidden from each other. */
export function HideDialog({ person, circleNames, isNewcomer = false, onClose }: HideDialogProps) {
  const hide = useHidePerson()
  const name = shortName(person)
  const seen = isNewcomer ? 'You will not see' : 'You no longer see'
  return (
    <FormDialog
      title={`Hide from ${name}?`}
      description={`${seen} each other's deeb mode in ${listText(circleNames)}. ${name} is not told.`}
      action="Hide"
      kind="destructive"
      onSubmit={() => succeeded(hide.mutateAsync({ person, isHidden: true }))}
      onClose={onClose}
    />
  )
}
