import type { Webhook } from '@deeb/core/webhooks/api'
import { useState } from 'react'
import type { WithProof } from '../account/use-proof.tsx'
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
    if (outcome !== undefined && outcome !== 'done') showFailure(CHANGE_FAILURES[outcome])
  }
  async function test(): Promise<void> {
    const outcome = await sendTest()
    if (outcome === 'too many') showFailure('Too many tests. Wait a while and try again.')
    else if (outcome !== 'done') showFailure('The test could not be sent. Please try again.')
  }
  async function renew(form: FormData): Promise<boolean> {
    const outcome = await withProof(() => replaceSecret({ id, isLeaked: form.has('isLeaked') }))
    if (typeof outcome === 'object') onSecret(outcome.secret)
    else if (outcome !== undefined) showFailure(CHANGE_FAILURES[outcome])
    return typeof outcome === 'object'
  }
  async function deleteIt(): Promise<boolean> {
    const outcome = await remove(id)
    if (outcome === 'done') showToast({ title: 'Webhook deleted', tone: 'success' })
    else showFailure('The webhook could not be deleted. Please try again.')
    return outcome === 'done'
  }
  return (
    <Disclosure label={addressText(url)} value={stateText(webhook)} open={open} onToggle={onToggle}>
      <p className="text-note wrap-anywhere text-soft">{url}</p>
      <p className="mt-1 text-note text-pretty text-soft">
        {stateNote(webhook)} Sends: {events.map((event) => EVENT_LABELS[event]).join(', ')}.
      </p>
      <SwitchRow
        label="Send messages"
        checked={isOn}
        disabled={busy}
        onChange={(wanted) => void run(() => switchTo(wanted))}
      />
      <p className="flex flex-wrap gap-x-6">
        {isOn ? (
          <TextButton aria-busy={busy} onClick={() => void run(test)}>
            Send a test
          </TextButton>
        ) : null}
        <TextButton onClick={() => setAsking('change')}>Change</TextButton>
        <TextButton onClick={() => setAsking('secret')}>New secret</TextButton>
        <TextButton tone="destructive" onClick={() => setAsking('delete')}>
          Delete
        </TextButton>
      </p>
      <FormError>{failure}</FormError>
      <Deliveries webhookId={id} isOn={isOn} />
      {asking === 'change' ? (
        <WebhookDialog
          title="Change webhook"
          action="Save"
          url={url}
          events={events}
          onSave={(input) => withProof(() => change({ id, ...input, isOn }))}
          onClose={close}
        />
      ) : null}
      {asking === 'secret' ? (
        <FormDialog
          title="New secret?"
          description="For 24 hours the old one signs too, so that you have time to change your program."
          action="New secret"
          onSubmit={renew}
          onClose={close}
        >
          <label className="flex min-h-11 items-center gap-3 text-body">
            <input type="checkbox" name="isLeaked" className="size-5 flex-none accent-(--ink)" />
            The old one leaked: end it now
          </label>
        </FormDialog>
      ) : null}
      {asking === 'delete' ? (
        <FormDialog
          title="Delete this webhook?"
          description="It gets no more messages, and the list of its messages is deleted."
          action="Delete webhook"
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
