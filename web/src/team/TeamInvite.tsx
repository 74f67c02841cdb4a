import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/team'
import { Link } from 'wouter'
import { OPENS_CHANGE_EMAIL } from '../device/history.ts'
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

/** Team of a user without a company, who can see nobody and be asked by nobody: what it is there, and the way to change the address. */
export function NoCompany() {
  return (
    <div className="team-alone mx-auto flex flex-col items-center pt-10 text-center text-balance short:pt-6">
      <svg viewBox="0 0 56 56" width={56} height={56} fill="none" strokeWidth={8} aria-hidden="true">
        <circle cx={28} cy={28} r={22} className="stroke-ink" />
        <circle cx={28} cy={28} r={6} className="fill-green" />
      </svg>
      <p className="mt-6 text-name">{texts.alone()}</p>
      <p className="mt-1 mb-2 text-body text-soft">{texts.aloneHint()}</p>
      <Link href={APP_PATHS.signInSettings} state={OPENS_CHANGE_EMAIL} asChild>
        <TextLink tone="soft">{texts.changeEmail()}</TextLink>
      </Link>
    </div>
  )
}
