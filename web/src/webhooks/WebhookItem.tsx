import type { Webhook } from '@deeb/core/webhooks/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/webhooks'
import { useState } from 'react'
import type { WithProof } from '../account/use-proof.tsx'
import { listText } from '../device/list-text.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { Deliveries } from './Deliveries.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { CHANGE_FAILURES, EVENT_LABELS, stateNote, stateText } from './webhook-texts.ts'
import { useChangeWebhooks, useSend } from './webhooks-queries.ts'

interface WebhookItemProps {
  webhook: Webhook
  withProof: WithProof
  open: boolean
  onToggle: () => void
  onSecret: (secret: string) => void
}

/** A webhook: its state, and what can be done with it. */
export function WebhookItem({ webhook, withProof, open, onToggle, onSecret }: WebhookItemProps) {
  const { id, url, events, offReason } = webhook
  const isOn = offReason === null
  const { change, replaceSecret, remove } = useChangeWebhooks()
  const { sendTest } = useSend(id)
  const [busy, run, failure] = useBusy()
  const [asking, setAsking] = useState<'change' | 'secret' | 'delete' | null>(null)
  const close = () => setAsking(null)

  async function switchTo(isOn: boolean): Promise<void> {
    const outcome = await withProof(() => change({ id, url, events, isOn }))
    if (outcome !== undefined && outcome !== 'done') showFailure(CHANGE_FAILURES[outcome]())
  }
  async function test(): Promise<void> {
    const outcome = await sendTest()
    if (outcome === 'too many') showFailure(texts.tooManyTests())
    else if (outcome !== 'done') showFailure(texts.testFailed())
  }
  async function renew(form: FormData): Promise<boolean> {
    const outcome = await withProof(() => replaceSecret({ id, isLeaked: form.has('isLeaked') }))
    if (typeof outcome === 'object') onSecret(outcome.secret)
    else if (outcome !== undefined) showFailure(CHANGE_FAILURES[outcome]())
    return typeof outcome === 'object'
  }
  async function deleteIt(): Promise<boolean> {
    const outcome = await remove(id)
    if (outcome === 'done') showToast({ title: texts.deleted(), tone: 'success' })
    else showFailure(texts.deleteFailed())
    return outcome === 'done'
  }
  return (
    <Disclosure label={addressText(url)} value={stateText(webhook)} open={open} onToggle={onToggle}>
      <p className="text-note wrap-anywhere text-soft">{url}</p>
      <p className="mt-1 text-note text-pretty text-soft">
        <span>{stateNote(webhook)}</span>{' '}
        <span>{texts.sends({ events: listText(events.map((event) => EVENT_LABELS[event]())) })}</span>
      </p>
      <SwitchRow
        label={texts.sendMessages()}
        checked={isOn}
        disabled={busy}
        onChange={(wanted) => void run(() => switchTo(wanted))}
      />
      <p className="flex flex-wrap gap-x-6">
        {isOn ? (
          <TextButton aria-busy={busy} onClick={() => void run(test)}>
            {texts.sendTest()}
          </TextButton>
        ) : null}
        <TextButton onClick={() => setAsking('change')}>{texts.change()}</TextButton>
        <TextButton onClick={() => setAsking('secret')}>{texts.newSecret()}</TextButton>
        <TextButton tone="destructive" onClick={() => setAsking('delete')}>
          {texts.deleteAction()}
        </TextButton>
      </p>
      <FormError>{failure}</FormError>
      <Deliveries webhookId={id} isOn={isOn} />
      {asking === 'change' ? (
        <WebhookDialog
          title={texts.changeWebhook()}
          action={commonTexts.save()}
          url={url}
          events={events}
          onSave={(input) => withProof(() => change({ id, ...input, isOn }))}
          onClose={close}
        />
      ) : null}
      {asking === 'secret' ? (
        <FormDialog
          title={texts.newSecretQuestion()}
          description={texts.newSecretNote()}
          action={texts.newSecret()}
          onSubmit={renew}
          onClose={close}
        >
          <label className="flex min-h-11 items-center gap-3 text-body">
            <input type="checkbox" name="isLeaked" className="size-5 flex-none accent-(--ink)" />
            {texts.oldOneLeaked()}
          </label>
        </FormDialog>
      ) : null}
      {asking === 'delete' ? (
        <FormDialog
          title={texts.deleteQuestion()}
          description={texts.deleteNote()}
          action={texts.deleteWebhook()}
          kind="destructive"
          onSubmit={deleteIt}
          onClose={close}
        />
      ) : null}
    </Disclosure>
  )
}

/** The host, by which a user tells webhooks apart. */
function addressText(url: string): string {
  return new URL(url).host
}
