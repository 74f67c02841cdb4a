import { createInvitation } from '@deeb/core/invitations/api'
import { companyLink } from '@deeb/core/invitations/invitation'
import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/team'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'wouter'
import { api } from '../calls/api.ts'
import { lazyPart } from '../device/lazy-part.tsx'
import { SERVER } from '../device/platform.ts'
import { useHome } from '../focus/day-queries.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { withElements } from '../ui/with-elements.tsx'
import { copyCircleLink, copyInviteLink } from './copy-link.ts'
import type { TeamCircle } from './members.ts'

/** The way to colleagues where nobody is shown: a link to send them. As a button where it is the first way. */
export function TeamInvite({ isFirst = false }: { isFirst?: boolean }) {
  const { data: home } = useHome()
  const [busy, run, failure] = useBusy()
  if (!home) return null
  const { companyDomain } = home.profile
  if (companyDomain === null) return null
  return (
    <div>
      <p className="text-body text-soft text-balance">
        {withElements(texts.everybodyAt, {
          domain: <strong className="font-500 text-ink wrap-anywhere">{companyDomain}</strong>,
        })}
      </p>
      {isFirst ? (
        <div className="mt-4">
          <Button kind="primary" busy={busy} onClick={() => void run(copyInviteLink)}>
            {texts.copyInvite()}
          </Button>
        </div>
      ) : (
        <TextButton onClick={() => void run(copyInviteLink)} aria-busy={busy}>
          {texts.copyInvite()}
        </TextButton>
      )}
      <FormError>{failure}</FormError>
    </div>
  )
}

/** The ways to invite: first the link of the circle that is shown or of the only one, else that of the company. */
export function InviteSheet({ circle, hasCircles, onClose }: InviteSheetProps) {
  const [busy, run] = useBusy()
  return (
    <Sheet title={texts.inviteColleagues()} onDismiss={onClose}>
      <div className="mt-2">
        {circle ? (
          <div className="mb-6">
            <p className="mb-4 text-body text-soft">{texts.circlesWhy()}</p>
            <Button kind="primary" busy={busy} onClick={() => void run(() => copyCircleLink(circle))}>
              {texts.copyCircleLink({ circle: circle.name })}
            </Button>
          </div>
        ) : null}
        <TeamInvite isFirst={!circle} />
        {circle ? null : <InviteCode />}
        {hasCircles && !circle ? (
          <p className="mt-4">
            <span className="block text-body text-soft">{texts.circlesWhy()}</span>
            <Link href={APP_PATHS.circles} asChild>
              <TextLink>{texts.openCircles()}</TextLink>
            </Link>
          </p>
        ) : null}
      </div>
    </Sheet>
  )
}

interface InviteSheetProps {
  circle: TeamCircle | undefined
  hasCircles: boolean
  onClose: () => void
}

const QrCode = lazyPart(async () => ({ default: (await import('../ui/QrCode.tsx')).QrCode }))

/** The link as a code, for colleagues in the room. */
function InviteCode() {
  const id = useId()
  const { data } = useQuery({
    queryKey: [createInvitation.path, id],
    queryFn: () => api(createInvitation, {}),
    gcTime: 0,
  })
  if (!data) return null
  const link = companyLink(SERVER || window.location.origin, data.signature)
  return (
    <div className="mt-4">
      <QrCode text={link} label={texts.inviteCode()} />
    </div>
  )
}
