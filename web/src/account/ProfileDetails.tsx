import type { Profile } from '@deeb/core/account/profile'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/settings'
import * as signInTexts from '@deeb/texts/signIn'
import type { ReactNode } from 'react'
import { BreakableEmail } from '../ui/PersonRow.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { UsernameForm } from './UsernameForm.tsx'

interface ProfileDetailsProps {
  /** Undefined until it is loaded. */
  profile: Profile | undefined
  hasFailed: boolean
  onRetry: () => void
}

/** The user's profile: the username with its form, and the email, name and company, which follow from the confirmed address. */
export function ProfileDetails({ profile, hasFailed, onRetry }: ProfileDetailsProps) {
  if (!profile) return hasFailed ? <Failure onRetry={onRetry} /> : <DetailsSkeleton />
  const { username, email, firstName, lastName, companyDomain } = profile
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return (
    <div>
      <UsernameForm username={username ?? ''} />
      <dl className="pb-3">
        <Row term={signInTexts.email()} value={<BreakableEmail email={email} />} />
        {name ? <Row term={texts.fullName()} value={name} /> : null}
        {companyDomain ? <Row term={texts.company()} value={<BreakableEmail email={companyDomain} />} /> : null}
      </dl>
    </div>
  )
}

function Row({ term, value }: { term: string; value: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-soft">{term}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </div>
  )
}

function Failure({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="py-3">
      <p className="text-soft">{texts.profileNotLoaded()}</p>
      <TextButton onClick={onRetry}>{commonTexts.tryAgain()}</TextButton>
    </div>
  )
}

function DetailsSkeleton() {
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        {commonTexts.loading()}
      </span>
      <Skeleton shape="line" className="mt-4 h-4 w-20" />
      <Skeleton shape="block" className="mt-1.5 h-13" />
      <Skeleton shape="line" className="mt-2 h-4 w-24" />
      <Skeleton shape="block" className="mt-2 mb-3 h-13" />
    </div>
  )
}
