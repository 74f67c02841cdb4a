import * as texts from '@deeb/texts/signInSettings'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dateText } from '../../device/local-date.ts'
import { authClient, openGate } from '../../session/auth-session.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { TextButton } from '../../ui/TextLink.tsx'
import { showToast } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { changeSignIn } from '../sign-in-change.ts'
import { FACTORS_KEY, useFactors } from '../sign-in-queries.ts'
import type { WithProof } from '../use-proof.tsx'
import { AddAppDialog, type EnrolledApp } from './AddAppDialog.tsx'
import { ListState } from './ListState.tsx'
import { NewCodesDialog } from './NewCodesDialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { Row, Section } from './Section.tsx'

/** The authenticator app, and with it the recovery codes. */
export function AppSection({ withProof, isOld = false }: { withProof: WithProof; isOld?: boolean }) {
  const read = useFactors()
  const queryClient = useQueryClient()
  const [busy, run, failure] = useBusy()
  const [enrolled, setEnrolled] = useState<EnrolledApp | null>(null)
  /** New recovery codes, shown once. */
  const [codes, setCodes] = useState<string[] | null>(null)
  const refetch = () => queryClient.invalidateQueries({ queryKey: FACTORS_KEY })
  async function begin(): Promise<void> {
    const outcome = await withProof(() =>
      changeSignIn(texts.appNotAdded(), async () =>
        (await authClient()).mfa.enroll({ factorType: 'totp', issuer: 'deeb' }),
      ),
    )
    if (typeof outcome === 'object') setEnrolled({ id: outcome.data.id, ...outcome.data.totp })
  }
  async function finish(): Promise<void> {
    setEnrolled(null)
    await refetch()
    const made = await changeSignIn(texts.codesNotMade(), async () => (await authClient()).mfa.recoveryCodes.generate())
    if (typeof made !== 'object') return openGate()
    setCodes(made.data.codes)
    await refetch()
  }
  function closeCodes(): void {
    setCodes(null)
    showToast({ title: texts.codesMade(), tone: 'success' })
    openGate()
  }
  function cancel(): void {
    // Without a code the server forgets it: this only saves the next one from the limit.
    if (!enrolled) return
    void authClient()
      .then((auth) => auth.mfa.unenroll({ factorId: enrolled.id }))
      .catch(() => undefined)
    setEnrolled(null)
  }
  const apps = read.data?.apps ?? []
  return (
    <Section
      title={texts.app()}
      note={texts.appNote()}
      action={
        read.data && apps.length === 0 ? (
          <Button kind="secondary" size="list" busy={busy} onClick={() => void run(begin)}>
            {texts.addAuthenticator()}
          </Button>
        ) : null
      }
    >
      <ListState read={read} hasButton={!isOld} />
      <ul>
        {apps.map((app) => (
          <AppRow
            key={app.id}
            id={app.id}
            addedAt={new Date(app.created_at)}
            withProof={withProof}
            onRemoved={refetch}
          />
        ))}
      </ul>
      <FormError>{failure}</FormError>
      {read.data && apps.length > 0 ? (
        <RecoveryCodes left={read.data.codesLeft} withProof={withProof} onMade={setCodes} />
      ) : null}
      {enrolled ? <AddAppDialog app={enrolled} onAdded={finish} onCancel={cancel} /> : null}
      {codes ? <NewCodesDialog codes={codes} onClose={closeCodes} /> : null}
    </Section>
  )
}

interface AppRowProps {
  id: string
  addedAt: Date
  withProof: WithProof
  onRemoved: () => Promise<void>
}

function AppRow({ id, addedAt, withProof, onRemoved }: AppRowProps) {
  const [isAsking, setIsAsking] = useState(false)
  async function remove(): Promise<boolean> {
    const outcome = await withProof(() =>
      changeSignIn(texts.appNotRemoved(), async () => (await authClient()).mfa.unenroll({ factorId: id })),
    )
    if (typeof outcome !== 'object') return false
    showToast({ title: texts.appRemoved(), tone: 'success' })
    // The access token still has the higher level.
    await (await authClient()).refreshSession()
    await onRemoved()
    return true
  }
  return (
    <Row name={texts.app()} note={texts.appAdded({ date: dateText(addedAt) })}>
      <TextButton aria-label={texts.removeAuthenticator()} tone="destructive" onClick={() => setIsAsking(true)}>
        {texts.remove()}
      </TextButton>
      {isAsking ? (
        <FormDialog
          title={texts.removeAppQuestion()}
          description={texts.removeAppNote()}
          action={texts.removeApp()}
          kind="destructive"
          onSubmit={remove}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </Row>
  )
}
