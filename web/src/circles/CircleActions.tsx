import type { Circle } from '@deeb/core/circles/api'
import * as texts from '@deeb/texts/circles'
import * as commonTexts from '@deeb/texts/common'
import { useState } from 'react'
import { LeaveDialog } from '../team/LeaveDialog.tsx'
import { succeeded } from '../team/team-queries.ts'
import { Button } from '../ui/Button.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { More } from '../ui/icons.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { sizeOf } from './circle-text.ts'
import { useChangeCircleLink, useCloseCircle, useRenameCircle } from './circles-queries.ts'
import { NameDialog } from './NameDialog.tsx'

type Action = 'rename' | 'new link' | 'no link' | 'leave' | 'close'

interface CircleActionsProps {
  circle: Circle
  onShare: () => void
}

/** To invite and to leave; the rest of what the keeper can do is in a sheet. Each action asks first and says what happens. */
export function CircleActions({ circle, onShare }: CircleActionsProps) {
  const [asking, setAsking] = useState<Action | 'what'>()
  const { name, invite, isKeeper } = circle
  const close = () => setAsking(undefined)
  return (
    <div className="join-actions mt-5">
      {invite === null ? <p className="mb-3 text-body text-soft">{texts.nobodyCanJoin()}</p> : null}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        {invite !== null || isKeeper ? (
          <Button kind="primary" size="list" onClick={invite === null ? () => setAsking('new link') : onShare}>
            {texts.invite()}
          </Button>
        ) : null}
        {isKeeper ? (
          <button
            type="button"
            aria-label={texts.changeCircle({ circle: name })}
            aria-haspopup="dialog"
            onClick={() => setAsking('what')}
            className="grid size-11 place-items-center rounded-full text-soft hover:bg-well"
          >
            <More size={24} strokeWidth={2.5} />
          </button>
        ) : (
          <TextButton tone="soft" onClick={() => setAsking('leave')}>
            {texts.leave()}
          </TextButton>
        )}
      </div>
      {asking === 'what' ? <ActionsSheet circle={circle} onChoose={setAsking} onClose={close} /> : null}
      {asking === 'rename' ? <RenameDialog circle={circle} onClose={close} /> : null}
      {asking === 'new link' || asking === 'no link' ? (
        <LinkDialog circle={circle} isOpening={asking === 'new link'} onShare={onShare} onClose={close} />
      ) : null}
      {asking === 'leave' ? <LeaveDialog circle={circle} onClose={close} /> : null}
      {asking === 'close' ? <CloseDialog circle={circle} onClose={close} /> : null}
    </div>
  )
}

/** The actions that only the keeper has, and to leave. */
function ActionsSheet({ circle, onChoose, onClose }: DialogProps & { onChoose: (action: Action) => void }) {
  const hasLink = circle.invite !== null
  const actions: [Action, string][] = [
    ['rename', texts.rename()],
    ...(hasLink
      ? ([
          ['new link', texts.newLink()],
          ['no link', texts.removeLink()],
        ] satisfies [Action, string][])
      : []),
    ['leave', texts.leave()],
    ['close', texts.closeCircle()],
  ]
  return (
    <Sheet title={circle.name} onDismiss={onClose}>
      <p className="mt-2 text-body text-pretty text-soft">{texts.keeperNote()}</p>
      <ul className="mt-3">
        {actions.map(([action, label]) => (
          <li key={action} className="border-line not-first:border-t">
            <button
              type="button"
              onClick={() => onChoose(action)}
              className={`min-h-14 w-full rounded-bar text-start text-name ${action === 'close' ? 'text-destructive' : ''}`}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
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

interface LinkDialogProps extends DialogProps {
  isOpening: boolean
  onShare: () => void
}

/** A link of a circle without one is made to invite with it. */
function LinkDialog({ circle, isOpening, onShare, onClose }: LinkDialogProps) {
  const change = useChangeCircleLink(circle)
  const isFirst = circle.invite === null
  const newLinkDescription = isFirst ? texts.firstLinkDescription : texts.newLinkDescription
  async function save(): Promise<boolean> {
    const isSaved = await succeeded(change.mutateAsync(isOpening))
    if (isSaved && isFirst) onShare()
    return isSaved
  }
  return (
    <FormDialog
      title={isOpening ? texts.newLinkTitle() : texts.removeLinkTitle()}
      description={isOpening ? newLinkDescription() : texts.removeLinkDescription()}
      action={isOpening ? texts.newLinkAction() : texts.removeLink()}
      onSubmit={save}
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
