import type { LinkInfo } from '@deeb/core/account/api'
import { APP_PATHS } from '@deeb/core/paths'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { isVerified, useAuthSession } from '../auth-session.ts'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { BackToSignIn } from './AccountPage.tsx'
import { type LinkOutcome, readLinkInfo, spendLink } from './auth-queries.ts'
import { DeadLinkNote } from './EmailForm.tsx'
import { type LinkInMail, useLinkInMail } from './link-in-mail.ts'
import { SignOutButton } from './SignOutButton.tsx'

/** A link that works, for the person who is here. */
export interface GoodLink {
  info: LinkInfo
  /** Spends it. A link that turns out to be dead is said to be so in the place of the form. */
  open(password?: string): Promise<LinkOutcome>
  /** For a link that does not help any more, though it was opened. */
  giveUp(): void
}

interface LinkGateProps {
  kinds: readonly LinkInfo['kind'][]
  /** What helps on where the link does not work; `link` is null where the page was opened without one. */
  help: (link: LinkInMail | null) => ReactNode
  children: (link: GoodLink) => ReactNode
}

/**
 * The page of a link in a mail. Says whose link it is, and shows the form only where nobody else is signed in: a link of
 * somebody else must not take the place of a session unseen.
 */
export function LinkGate({ help, ...rest }: LinkGateProps) {
  const link = useLinkInMail()
  if (link) return <ForLink key={link.token} link={link} help={help} {...rest} />
  return (
    <>
      <p className="mb-4 text-body text-soft">Open the link in your email again.</p>
      {help(null)}
      <BackToSignIn />
    </>
  )
}

function ForLink({ link, kinds, help, children }: LinkGateProps & { link: LinkInMail }) {
  const { token } = link
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
  // While it is opened, the address of the same account changes.
  const own = isOpening ? [info.email, info.newEmail] : [info.email]
  const here = session?.user.email ?? ''
  if (session !== null && !own.includes(here)) return <OtherPerson here={here} info={info} />
  const open = async (password?: string): Promise<LinkOutcome> => {
    setIsOpening(true)
    const outcome = await spendLink(info.kind, token, password)
    if (outcome === 'dead link') setInfo(outcome)
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

function OtherPerson({ here, info }: { here: string; info: LinkInfo }) {
  return (
    <>
      <p role="alert" className="mb-6 text-body text-soft wrap-anywhere">
        You are signed in here as <Address>{here}</Address>. This link is for <Address>{info.email}</Address>.
        {info.newEmail === null ? null : (
          <>
            {' '}
            It changes the email of that account to <Address>{info.newEmail}</Address>.
          </>
        )}
      </p>
      <SignOutButton kind="secondary" label="Sign out and continue" />
      <BackToHome />
    </>
  )
}

/** An address of mail within a sentence. */
export function Address({ children }: { children: string }) {
  return <strong className="font-500 text-ink">{children}</strong>
}

function BackToHome() {
  return (
    <p className="mt-4">
      <Link href={APP_PATHS.home} asChild>
        <TextLink>Back to Home</TextLink>
      </Link>
    </p>
  )
}

function Loading() {
  return (
    <p role="status" className="skeleton text-body text-soft">
      Loading...
    </p>
  )
}

/** The page is not loaded again: it would lose the link. */
function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <p className="text-body text-soft">deeb cannot be reached. Check your connection and try again.</p>
      <TextButton onClick={onRetry}>Try again</TextButton>
    </div>
  )
}
