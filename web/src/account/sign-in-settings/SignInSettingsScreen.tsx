import type { SignInInfo } from '@deeb/core/account/api'
import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/signInSettings'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAsOf } from '../../calls/kept.ts'
import { dateText, noonOf } from '../../device/local-date.ts'
import { useHome } from '../../focus/day-queries.ts'
import { AsOf } from '../../frame/AsOf.tsx'
import { onboarded } from '../../frame/onboarded.tsx'
import { FocusFrame } from '../../sessions/FocusFrame.tsx'
import { HowSafe, Intro } from '../../ui/Explained.tsx'
import { LoadFailure } from '../../ui/LoadFailure.tsx'
import { SignInPicture } from '../../ui/pictures.tsx'
import { ScreenSkeleton, Skeleton } from '../../ui/Skeleton.tsx'
import { SIGN_IN_KEY, useSignInInfo } from '../sign-in-queries.ts'
import { useProof } from '../use-proof.tsx'
import { AppSection } from './AppSection.tsx'
import { CompanySection } from './CompanySection.tsx'
import { EmailSection } from './EmailSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'

export default onboarded(SignInSettingsScreen)

/** How the user signs in, and where they are signed in. */
function SignInSettingsScreen() {
  const { data: home } = useHome()
  const read = useSignInInfo()
  const { data: info, isError, isFetching, refetch } = read
  const queryClient = useQueryClient()
  const asOf = useAsOf(read, SIGN_IN_KEY)
  const subPage = { title: texts.title(), parent: APP_PATHS.settings, backLabel: texts.back() }
  return (
    <FocusFrame title={subPage.title} focus={home} subPage={subPage}>
      {info ? (
        <SignInWays
          info={info}
          isOld={asOf !== null}
          note={<AsOf asOf={asOf} read={{ isError, isFetching, refetch: () => queryClient.invalidateQueries() }} />}
        />
      ) : null}
      {!info && isError ? <LoadFailure title={texts.loadFailed()} onRetry={() => void refetch()} /> : null}
      {!info && !isError ? <WaysSkeleton /> : null}
    </FocusFrame>
  )
}

interface SignInWaysProps {
  info: SignInInfo
  /** With this, the note reads everything again. */
  isOld?: boolean
  note?: ReactNode
}

export function SignInWays({ info, isOld = false, note }: SignInWaysProps) {
  const { withProof, proofDialog } = useProof()
  const { company, secondFactor } = info
  return (
    <main className="columns flex-1 pb-5">
      <div>
        {note}
        <Intro line={texts.intro()} picture={<SignInPicture />} />
        {secondFactor ? (
          <p className="pt-8 text-body text-pretty">
            {texts.requiredFrom({ date: dateText(noonOf(secondFactor.requiredFrom)) })}
          </p>
        ) : null}
        <EmailSection />
        <PasswordSection info={info} withProof={withProof} />
        <PasskeysSection company={company} withProof={withProof} isOld={isOld} />
        <AppSection withProof={withProof} isOld={isOld} />
      </div>
      <div className="wide:-mt-6">
        {company ? <CompanySection company={company} withProof={withProof} /> : null}
        <SessionsSection withProof={withProof} isOld={isOld} />
        <div className="pt-8">
          <HowSafe safe={[texts.newSignIn(), texts.alsoEnds()]} />
        </div>
      </div>
      {proofDialog}
    </main>
  )
}

function WaysSkeleton() {
  return (
    <ScreenSkeleton className="columns flex-1 pb-5">
      <div>
        <Intro line={texts.intro()} picture={<SignInPicture />} />
        {['email', 'password', 'passkeys'].map((part) => (
          <div key={part} className="mt-8">
            <Skeleton shape="line" className="h-5 w-28" />
            <Skeleton shape="line" className="mt-3 h-10" />
          </div>
        ))}
      </div>
    </ScreenSkeleton>
  )
}
