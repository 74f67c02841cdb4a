import type { SignInInfo } from '@deeb/core/account/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/signInSettings'
import type { PasskeyListItem } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { dateText } from '../../device/local-date.ts'
import { authClient, openGate } from '../../session/auth-session.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextButton } from '../../ui/TextLink.tsx'
import { showToast } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { textOf } from '../../ui/use-submit.ts'
import { showPasskeyFailure, useSupportsPasskeys } from '../passkeys.ts'
import { changeSignIn } from '../sign-in-change.ts'
import { PASSKEYS_KEY, usePasskeyList } from '../sign-in-queries.ts'
import type { WithProof } from '../use-proof.tsx'
import { ListState } from './ListState.tsx'
import { Row, Section } from './Section.tsx'

const MAX_PASSKEYS = 10
const MAX_NAME_LENGTH = 120

interface PasskeysSectionProps {
  company: SignInInfo['company']
  withProof: WithProof
  /** The screen says so, and has the button that reads again. */
  isOld?: boolean
}

/** The passkeys: add, rename, remove. */
export function PasskeysSection({ company, withProof, isOld = false }: PasskeysSectionProps) {
  const isSupported = useSupportsPasskeys()
  const read = usePasskeyList(true)
  // A server that does not answer has not said so.
  const isUnsupported = isSupported === false && read.isSuccess
  const passkeys = read.data ?? []
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const [busy, run, failure] = useBusy()
  const queryClient = useQueryClient()
  async function add(): Promise<void> {
    const added = await withProof(() =>
      changeSignIn(texts.passkeyNotAdded(), async () => (await authClient()).registerPasskey(), showPasskeyFailure),
    )
    if (typeof added !== 'object') return
    showToast({ title: texts.passkeyAdded(), description: texts.passkeyAddedNote(), tone: 'success' })
    await queryClient.invalidateQueries({ queryKey: PASSKEYS_KEY })
    openGate()
  }
  const canAdd = isSupported && !company?.only && read.data && passkeys.length < MAX_PASSKEYS
  return (
    <Section
      title={texts.passkeys()}
      note={noteOf(company, isUnsupported, passkeys.length)}
      action={
        canAdd ? (
          <Button kind="secondary" size="list" busy={busy} onClick={() => void run(add)}>
            {texts.addPasskey()}
          </Button>
        ) : null
      }
    >
      <ListState read={read} hasButton={!isOld} />
      <ul ref={list}>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} withProof={withProof} />
        ))}
      </ul>
      <FormError>{failure}</FormError>
    </Section>
  )
}

function noteOf(company: SignInInfo['company'], isUnsupported: boolean, count: number): string {
  if (company?.only) return texts.passkeysOfCompany({ company: company.name })
  if (isUnsupported) return texts.passkeysUnsupported()
  if (count >= MAX_PASSKEYS) return texts.passkeysFull({ max: MAX_PASSKEYS })
  return texts.passkeysNote()
}

function PasskeyRow({ passkey, withProof }: { passkey: PasskeyListItem; withProof: WithProof }) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const { id, created_at, last_used_at } = passkey
  const name = passkey.friendly_name ?? texts.passkey()
  const added = dateText(new Date(created_at))
  const note = last_used_at
    ? texts.passkeyUsed({ added, used: dateText(new Date(last_used_at)) })
    : texts.passkeyUnused({ added })
  const refetch = () => queryClient.invalidateQueries({ queryKey: PASSKEYS_KEY })
  async function rename(form: FormData): Promise<boolean> {
    const update = { passkeyId: id, friendlyName: textOf(form, 'name').trim() }
    const outcome = await changeSignIn(texts.passkeyNotRenamed(), async () =>
      (await authClient()).passkey.update(update),
    )
    if (typeof outcome !== 'object') return false
    await refetch()
    return true
  }
  async function remove(): Promise<boolean> {
    const outcome = await withProof(() =>
      changeSignIn(texts.passkeyNotRemoved(), async () => (await authClient()).passkey.delete({ passkeyId: id })),
    )
    if (typeof outcome !== 'object') return false
    showToast({ title: texts.passkeyRemoved(), tone: 'success' })
    await refetch()
    return true
  }
  return (
    <Row name={name} note={note}>
      <TextButton aria-label={texts.renameIt({ name })} onClick={() => setOpen('rename')}>
        {texts.rename()}
      </TextButton>
      <TextButton aria-label={texts.removeIt({ name })} tone="destructive" onClick={() => setOpen('remove')}>
        {texts.remove()}
      </TextButton>
      {open === 'rename' ? (
        <FormDialog title={texts.renamePasskey()} action={commonTexts.save()} onSubmit={rename} onClose={close}>
          <TextField label={texts.passkeyName()} name="name" defaultValue={name} maxLength={MAX_NAME_LENGTH} required />
        </FormDialog>
      ) : null}
      {open === 'remove' ? (
        <FormDialog
          title={texts.removeQuestion({ name })}
          description={texts.removePasskeyNote()}
          action={texts.removePasskey()}
          kind="destructive"
          onSubmit={remove}
          onClose={close}
        />
      ) : null}
    </Row>
  )
}
