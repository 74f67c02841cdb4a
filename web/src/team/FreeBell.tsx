import * as knockTexts from '@deeb/texts/knocks'
import * as texts from '@deeb/texts/team'
import { allowPushOnce } from '../push/push.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { Bell } from '../ui/icons.tsx'
import { useAlerts, useSetAlert } from './alerts-queries.ts'

interface FreeBellProps {
  userId: string
  name: string
  inDeebMode: boolean
  /** Beside the bell, what it does. */
  hasWords?: boolean
  /** Opens a sheet with the bell and more, in place of what the bell does. */
  onMore?: (() => void) | undefined
}

/**
 * The bell of a colleague in deeb mode: tells the user once when they are free. The first press of all asks for the permission to
 * show notifications.
 */
export function FreeBell({ userId, name, inDeebMode, hasWords = false, onMore }: FreeBellProps) {
  const ownId = useSignedInUserId() ?? ''
  const { data } = useAlerts()
  const { mutate } = useSetAlert()
  const isWanted = data?.alerts.some((alert) => alert.userId === userId && alert.freeSince === null) ?? false
  if (!inDeebMode && !isWanted) return null

  function press(): void {
    mutate({ userId, name, isWanted: !isWanted })
    // Without push messages, the open app tells it.
    if (!isWanted) allowPushOnce(ownId).catch(() => undefined)
  }
  const bell = <Bell size={20} strokeWidth={1.75} fill={isWanted ? 'currentColor' : 'none'} />
  const rest = { type: 'button', 'aria-pressed': isWanted, onClick: press } as const
  const colour = isWanted ? 'text-ink' : 'text-soft'
  if (hasWords) {
    return (
      <button {...rest} className={`mt-2 flex min-h-11 items-center gap-3 rounded-bar text-start text-body ${colour}`}>
        {bell}
        <span>{texts.tellMe({ name })}</span>
      </button>
    )
  }
  const tellMe = texts.tellMe({ name })
  const more = isWanted ? `${knockTexts.reach({ name })}: ${tellMe}` : knockTexts.reach({ name })
  const label = onMore ? more : tellMe
  return (
    <button
      {...(onMore ? { type: 'button', 'aria-haspopup': 'dialog', onClick: onMore } : rest)}
      aria-label={label}
      title={label}
      className={`free-bell rounded-bar ${colour}`}
    >
      {bell}
    </button>
  )
}
