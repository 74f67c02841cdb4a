import * as texts from '@deeb/texts/signInSettings'
import { openGate } from '../../session/auth-session.ts'
import { TextButton } from '../../ui/TextLink.tsx'
import { AccountPage } from '../AccountPage.tsx'
import { SignOutButton } from '../SignOutButton.tsx'
import { useSignInInfo } from '../sign-in-queries.ts'
import { useProof } from '../use-proof.tsx'
import { AppSection } from './AppSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'

/** Replaces every screen for an account that has no second factor although its company requires one. */
export default function RequiredFactorScreen() {
  const { data: info } = useSignInInfo()
  const { withProof, proofDialog } = useProof()
  return (
    <AccountPage title={texts.addFactor()}>
      <p className="text-body text-pretty text-soft">{texts.addFactorNote()}</p>
      <PasskeysSection company={info?.company ?? null} withProof={withProof} />
      <AppSection withProof={withProof} />
      <p className="mt-4">
        <TextButton onClick={openGate}>{texts.factorAdded()}</TextButton>
      </p>
      <div className="mt-4">
        <SignOutButton kind="secondary" />
      </div>
      {proofDialog}
    </AccountPage>
  )
}
