import type { SignInInfo } from '@deeb/core/account/api'
import * as texts from '@deeb/texts/signInSettings'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dateText } from '../../device/local-date.ts'
import { authClient } from '../../session/auth-session.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { TextButton } from '../../ui/TextLink.tsx'
import { showToast } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { companyIdentity, connectCompany } from '../company-sign-in.ts'
import { changeSignIn } from '../sign-in-change.ts'
import { IDENTITIES_KEY, SIGN_IN_KEY, useIdentities } from '../sign-in-queries.ts'
import type { WithProof } from '../use-proof.tsx'
import { Row, Section } from './Section.tsx'

interface CompanySectionProps {
  company: NonNullable<SignInInfo['company']>
  withProof: WithProof
}

/** The account at the company: connect and disconnect it. */
export function CompanySection({ company, withProof }: CompanySectionProps) {
  const [busy, run, failure] = useBusy()
  return (
    <Section
      title={texts.companyAccount()}
      note={noteOf(company)}
      action={
        company.connected ? null : (
          <Button
            kind="secondary"
            size="list"
            busy={busy}
            onClick={() => void run(() => withProof(() => connectCompany(company)))}
          >
            {texts.connect({ company: company.name })}
          </Button>
        )
      }
    >
      {company.connected ? (
        <ul>
          <ConnectedRow company={company} withProof={withProof} />
        </ul>
      ) : null}
      <FormError>{failure}</FormError>
    </Section>
  )
}

function noteOf({ name: company, only, connected }: CompanySectionProps['company']): string {
  if (only) return texts.companyOnly({ company })
  return connected ? texts.companyConnected({ company }) : texts.companyNotConnected({ company })
}

function ConnectedRow({ company, withProof }: CompanySectionProps) {
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { data: identities } = useIdentities(true)
  const identity = companyIdentity(identities)
  const since = identity?.created_at
  async function disconnect(): Promise<boolean> {
    if (!identity) return false
    const outcome = await withProof(() =>
      changeSignIn(texts.companyNotDisconnected(), async () => (await authClient()).unlinkIdentity(identity)),
    )
    if (typeof outcome !== 'object') return false
    showToast({ title: texts.companyDisconnected({ company: company.name }), tone: 'success' })
    await queryClient.invalidateQueries({ queryKey: IDENTITIES_KEY })
    await queryClient.invalidateQueries({ queryKey: SIGN_IN_KEY })
    return true
  }
  return (
    <Row
      name={company.name}
      note={since ? texts.connectedSince({ date: dateText(new Date(since)) }) : texts.connected()}
    >
      {company.only || !identity ? null : (
        <TextButton
          aria-label={texts.disconnectIt({ company: company.name })}
          tone="destructive"
          onClick={() => setIsAsking(true)}
        >
          {texts.disconnect()}
        </TextButton>
      )}
      {isAsking ? (
        <FormDialog
          title={texts.disconnectQuestion({ company: company.name })}
          description={texts.disconnectNote({ company: company.name })}
          action={texts.disconnect()}
          kind="destructive"
          onSubmit={disconnect}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </Row>
  )
}
