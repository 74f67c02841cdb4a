import { WEBHOOK_EVENTS, type WebhookEvent } from '@deeb/core/webhooks/events'
import * as texts from '@deeb/texts/webhooks'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showFailure } from '../ui/toast.ts'
import { textOf } from '../ui/use-submit.ts'
import { CHANGE_FAILURES, EVENT_LABELS } from './webhook-texts.ts'
import type { WebhookFailure } from './webhooks-queries.ts'

interface WebhookDialogProps {
  title: string
  action: string
  /** The URL at the start; empty for a new webhook. */
  url: string
  events: readonly WebhookEvent[]
  /** Undefined: the user did not show that it is them. */
  onSave: (input: { url: string; events: WebhookEvent[] }) => Promise<'done' | WebhookFailure | undefined>
  onClose: () => void
}

/** Asks for the address of a webhook and for its events. */
export function WebhookDialog({ title, action, url, events, onSave, onClose }: WebhookDialogProps) {
  const [wrong, setWrong] = useState<string>()
  async function save(form: FormData): Promise<boolean> {
    setWrong(undefined)
    const chosen = WEBHOOK_EVENTS.filter((event) => form.has(event))
    if (chosen.length === 0) {
      showFailure(texts.noEvents())
      return false
    }
    const outcome = await onSave({ url: textOf(form, 'url').trim(), events: chosen })
    if (outcome === 'wrong url') setWrong(CHANGE_FAILURES[outcome]())
    else if (outcome !== undefined && outcome !== 'done' && outcome !== 'proof needed')
      showFailure(CHANGE_FAILURES[outcome]())
    return outcome === 'done'
  }
  return (
    <FormDialog title={title} description={texts.addressNote()} action={action} onSubmit={save} onClose={onClose}>
      <TextField
        label={texts.address()}
        name="url"
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        defaultValue={url}
        maxLength={2_000}
        error={wrong}
        required
      />
      <fieldset>
        <legend className="text-label">{texts.sendWhen()}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <label key={event} className="flex min-h-11 items-center gap-3 text-body">
            <input
              type="checkbox"
              name={event}
              className="size-5 flex-none accent-(--ink)"
              defaultChecked={events.includes(event)}
            />
            <span>
              {EVENT_LABELS[event]()} <span className="text-soft">({event})</span>
            </span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
