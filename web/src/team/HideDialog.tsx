import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
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
  const description = isNewcomer ? texts.hideNewcomerDescription : texts.hideDescription
  return (
    <FormDialog
      title={texts.hideTitle({ name })}
      description={description({ name, circles: listText(circleNames) })}
      action={texts.hide()}
      kind="destructive"
      onSubmit={() => succeeded(hide.mutateAsync({ person, isHidden: true }))}
      onClose={onClose}
    />
  )
}
