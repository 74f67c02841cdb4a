import type { LinkInfo } from '@deeb/core/account/api'
import { APP_PATHS } from '@deeb/core/paths'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/links'
import * as settingsTexts from '@deeb/texts/settings'
import * as signInTexts from '@deeb/texts/signIn'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { isVerified, useAuthSession } from '../session/auth-session.ts'
import { keepInvite } from '../session/kept-invite.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { withElements } from '../ui/with-elements.tsx'
import { BackToSignIn } from './AccountPage.tsx'
import Address from './Address.tsx'
import { DeadLinkNote } from './EmailForm.tsx'
import {
  type EmailLink,
  type LinkOutcome,
  type LinkProof,
  openPastedLink,
  readLinkInfo,
  spendLink,
  useEmailLink,
} from './email-link.ts'
import { SignOutButton } from './SignOutButton.tsx'

/** A valid link, and nobody else is signed in. */
export interface GoodLink {
  info: LinkInfo
  /** Consumes the link. If it is no longer valid, a note replaces the form. */
  open(proof?: LinkProof): Promise<LinkOutcome>
  /** Shows the link as expired, also after it was consumed. */
  giveUp(): void
}

interface LinkGateProps {
  kinds: readonly LinkInfo['kind'][]
  /** Shown below an invalid link, to get a new one. `link` is null if the page was opened without a link. */
  help: (link: EmailLink | null) => ReactNode
  children: (link: GoodLink) => ReactNode
}

/**
 * The page of an email link. Shows the account of the link, and the form only if nobody else is signed in: a link of another
 * account must not silently replace the auth session (session fixation, login CSRF).
 */
export function LinkGate({ help, ...rest }: LinkGateProps) {
  const link = useEmailLink()
  if (link) return <ForLink key={link.token} link={link} help={help} {...rest} />
  return (
    <>
      <p className="mb-4 text-body text-soft">{texts.openAgain()}</p>
      <PasteForm />
      <div className="mt-8">{help(null)}</div>
      <BackToSignIn />
    </>
  )
}

/** Opens the address of a link that an email filter has cut. It can be inside the address of the filter. */
function PasteForm() {
  const [wrong, setWrong] = useState<string>()
  const { onSubmit } = useSubmit(async (form) => {
    setWrong(openPastedLink(textOf(form, 'address')) ? undefined : texts.addressIncomplete())
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <TextField
        label={texts.linkAddress()}
        name="address"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={wrong}
        required
      />
      <div className="mt-2">
        <Button kind="secondary" type="submit">
          {signInTexts.next()}
        </Button>
      </div>
    </form>
  )
}

function ForLink({ link, kinds, help, children }: LinkGateProps & { link: EmailLink }) {
  const { token, circle } = link
  const session = useAuthSession()
  const [info, setInfo] = useState<Awaited<ReturnType<typeof readLinkInfo>> | 'reading'>('reading')
  const [isOpening, setIsOpening] = useState(false)
  const read = useCallback(async () => {
    setInfo('reading')
    setInfo(await readLinkInfo(token))
  }, [token])
  useEffect(() => void read(), [read])

  if (info === 'reading' || session === 'checking') return <Loading />
  if (info === 'unreachable' || (session !== null && !isVerified(session))) return <Unreachable onRetry={read} />
  if (info === 'dead link' || !kinds.includes(info.kind)) {
    return (
      <>
        <DeadLinkNote />
        {help(link)}
        <BackToSignIn />
      </>
    )
  }
  // While the link is consumed, the address of the same account changes.
  const addresses = isOpening ? [info.email, info.newEmail] : [info.email]
  const signedInAs = session?.user.email ?? ''
  if (session !== null && !addresses.includes(signedInAs)) return <OtherAccount signedInAs={signedInAs} info={info} />
  const open = async (proof?: LinkProof): Promise<LinkOutcome> => {
    setIsOpening(true)
    const outcome = await spendLink(info.kind, token, proof)
    if (outcome === 'dead link') setInfo(outcome)
    // Somebody else may have signed out here since it was kept.
    if (outcome === 'done' && circle && info.kind === 'signup') keepInvite(circle, true)
    if (outcome !== 'done') setIsOpening(false)
    return outcome
  }
  return (
    <>
      {children({ info, open, giveUp: () => setInfo('dead link') })}
      {session === null ? <BackToSignIn /> : <BackToHome />}
    </>
  )
}

function OtherAccount({ signedInAs, info }: { signedInAs: string; info: LinkInfo }) {
  return (
    <>
      <p role="alert" className="mb-6 text-body text-soft wrap-anywhere">
        {withElements(texts.otherAccount, {
          email: <Address>{signedInAs}</Address>,
          linkEmail: <Address>{info.email}</Address>,
        })}
        {info.newEmail === null ? null : (
          <> {withElements(texts.otherAccountChange, { email: <Address>{info.newEmail}</Address> })}</>
        )}
      </p>
      <SignOutButton kind="secondary" label={texts.signOutAndContinue()} />
      <BackToHome />
    </>
  )
}

function BackToHome() {
  return (
    <p className="mt-4">
      <Link href={APP_PATHS.home} asChild>
        <TextLink>{texts.backToHome()}</TextLink>
      </Link>
    </p>
  )
}

function Loading() {
  return (
    <p role="status" className="skeleton text-body text-soft">
      {commonTexts.loading()}
    </p>
  )
}

/** Retries without a reload of the page, which would lose the link. */
function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <p className="text-body text-soft">{settingsTexts.unreachable()}</p>
      <TextButton onClick={onRetry}>{commonTexts.tryAgain()}</TextButton>
    </div>
  )
}
