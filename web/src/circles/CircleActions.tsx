import type { Circle } from '@deeb/core/circles/api'
import { useState } from 'react'
import { LeaveDialog } from '../team/LeaveDialog.tsx'
import { succeeded } from '../team/team-queries.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { sizeText } from './circle-text.ts'
import { useChangeCircleLink, useCloseCircle, useRenameCircle } from './circles-queries.ts'
import { NameDialog } from './NameDialog.tsx'

type Action = 'rename' | 'new link' | 'no link' | 'leave' | 'close'

/** What the user can do with a circle; the keeper can do more. Each asks first and says what happens. */
export function CircleActions({ circle }: { circle: Circle }) {
  const [asking, setAsking] = useState<Action>()
  const close = () => setAsking(undefined)
  const isOpen = circle.invite !== null
  return (
    <div className="mt-3">
      {circle.isKeeper ? (
        <p className="flex flex-wrap gap-x-6">
          <TextButton onClick={() => setAsking('rename')}>Rename</TextButton>
          <TextButton onClick={() => setAsking('new link')}>{isOpen ? 'New link' : 'Make a link'}</TextButton>
          {isOpen ? <TextButton onClick={() => setAsking('no link')}>Remove link</TextButton> : null}
        </p>
      ) : null}
      <p className="flex flex-wrap gap-x-6">
        <TextButton onClick={() => setAsking('leave')}>Leave circle</TextButton>
        {circle.isKeeper ? (
          <TextButton tone="destructive" onClick={() => setAsking('close')}>
            Close circle
          </TextButton>
        ) : null}
      </p>
      {asking === 'rename' ? <RenameDialog circle={circle} onClose={close} /> : null}
      {asking === 'new link' || asking === 'no link' ? (
        <LinkDialog circle={circle} isOpening={asking === 'new link'} onClose={close} />
      ) : null}
      {asking === 'leave' ? <LeaveDialog circle={circle} onClose={close} /> : null}
      {asking === 'close' ? <CloseDialog circle={circle} onClose={close} /> : null}
    </div>
  )
}

interface DialogProps {
  circle: Circle
  onClose: () => void
}

function RenameDialog({ circle, onClose }: DialogProps) {
  const rename = useRenameCircle(circle)
  return (
    <NameDialog
      title="Rename circle"
      description="Everybody in the circle sees the new name."
      action="Save"
      name={circle.name}
      onSave={(name) => succeeded(rename.mutateAsync(name))}
      onClose={onClose}
    />
  )
}

function LinkDialog({ circle, isOpening, onClose }: DialogProps & { isOpening: boolean }) {
  const change = useChangeCircleLink(circle)
  const ends = circle.invite === null ? '' : 'The old link and its QR code stop working. '
  return (
    <FormDialog
      title={isOpening ? 'Make a new link?' : 'Remove the link?'}
      description={
        isOpening
          ? `${ends}Colleagues who have the new link can join. Members stay.`
          : 'The link and its QR code stop working, and nobody can join. Members stay. You can make a new link later.'
      }
      action={isOpening ? 'Make link' : 'Remove link'}
      onSubmit={() => succeeded(change.mutateAsync(isOpening))}
      onClose={onClose}
    />
  )
}

function CloseDialog({ circle, onClose }: DialogProps) {
  const closeCircle = useCloseCircle(circle)
  return (
    <FormDialog
      title={`Close ${circle.name}?`}
      description={`The circle is deleted. Its ${sizeText(circle)} no longer see each other's deeb mode in it. You cannot undo this.`}
      action="Close circle"
      kind="destructive"
      onSubmit={() => succeeded(closeCircle.mutateAsync(undefined))}
      onClose={onClose}
    />
  )
}
