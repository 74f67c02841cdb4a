import type { Circle } from '@deeb/core/circles/api'
import * as texts from '@deeb/texts/circles'
import * as commonTexts from '@deeb/texts/common'
import { useState } from 'react'
import { LeaveDialog } from '../team/LeaveDialog.tsx'
import { succeeded } from '../team/team-queries.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { sizeOf } from './circle-text.ts'
import { useChangeCircleLink, useCloseCircle, useRenameCircle } from './circles-queries.ts'
import { NameDialog } from './NameDialog.tsx'

type Action = 'rename' | 'new link' | 'no link' | 'leave' | 'close'

/** The actions of a user on a circle; the keeper can do more. Each asks first and says what happens. */
export function CircleActions({ circle }: { circle: Circle }) {
  const [asking, setAsking] = useState<Action>()
  const close = () => setAsking(undefined)
  const isOpen = circle.invite !== null
  return (
    <div className="mt-3">
      {circle.isKeeper ? (
        <p className="flex flex-wrap gap-x-6">
          <TextButton onClick={() => setAsking('rename')}>{texts.rename()}</TextButton>
          <TextButton onClick={() => setAsking('new link')}>{isOpen ? texts.newLink() : texts.makeLink()}</TextButton>
          {isOpen ? <TextButton onClick={() => setAsking('no link')}>{texts.removeLink()}</TextButton> : null}
        </p>
      ) : null}
      <p className="flex flex-wrap gap-x-6">
        <TextButton onClick={() => setAsking('leave')}>{texts.leave()}</TextButton>
        {circle.isKeeper ? (
          <TextButton tone="destructive" onClick={() => setAsking('close')}>
            {texts.closeCircle()}
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
      title={texts.renameTitle()}
      description={texts.renameDescription()}
      action={commonTexts.save()}
      name={circle.name}
      onSave={(name) => succeeded(rename.mutateAsync(name))}
      onClose={onClose}
    />
  )
}

function LinkDialog({ circle, isOpening, onClose }: DialogProps & { isOpening: boolean }) {
  const change = useChangeCircleLink(circle)
  const newLinkDescription = circle.invite === null ? texts.firstLinkDescription : texts.newLinkDescription
  return (
    <FormDialog
      title={isOpening ? texts.newLinkTitle() : texts.removeLinkTitle()}
      description={isOpening ? newLinkDescription() : texts.removeLinkDescription()}
      action={isOpening ? texts.newLinkAction() : texts.removeLink()}
      onSubmit={() => succeeded(change.mutateAsync(isOpening))}
      onClose={onClose}
    />
  )
}

function CloseDialog({ circle, onClose }: DialogProps) {
  const closeCircle = useCloseCircle(circle)
  return (
    <FormDialog
      title={texts.closeTitle({ circle: circle.name })}
      description={texts.closeDescription({ count: sizeOf(circle) })}
      action={texts.closeCircle()}
      kind="destructive"
      onSubmit={() => succeeded(closeCircle.mutateAsync(undefined))}
      onClose={onClose}
    />
  )
}
