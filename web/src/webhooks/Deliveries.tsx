import * as texts from '@deeb/texts/webhooks'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { Row } from '../account/sign-in-settings/Section.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { deliveryText, messageText } from './webhook-texts.ts'
import { useDeliveries, useSend } from './webhooks-queries.ts'

/** The messages of 7 days to a webhook. */
export function Deliveries({ webhookId, isOn }: { webhookId: string; isOn: boolean }) {
  const read = useDeliveries(webhookId)
  const { sendAgain } = useSend(webhookId)
  const [busy, run, failure] = useBusy()
  const deliveries = read.data?.deliveries ?? []
  async function send(id: string): Promise<void> {
    const outcome = await sendAgain(id)
    if (outcome === 'too many') showFailure(texts.tooManyByHand())
    else if (outcome !== 'done') showFailure(texts.sendAgainFailed())
  }
  return (
    <>
      <h2 className="mt-4 text-label">{texts.messages()}</h2>
      <ListState read={read} />
      {read.data && deliveries.length === 0 ? <p className="mt-1 text-note text-soft">{texts.noMessages()}</p> : null}
      <ul>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} name={messageText(delivery)} note={deliveryText(delivery)}>
            {isOn && delivery.attempts > 0 ? (
              <TextButton
                aria-busy={busy}
                aria-label={texts.sendAgainLabel({ message: messageText(delivery), delivery: deliveryText(delivery) })}
                onClick={() => void run(() => send(delivery.id))}
              >
                {texts.sendAgain()}
              </TextButton>
            ) : null}
          </Row>
        ))}
      </ul>
      <FormError>{failure}</FormError>
    </>
  )
}
