import { MAX_WEBHOOKS } from '@deeb/core/webhooks/api'
import { WEBHOOK_EVENTS } from '@deeb/core/webhooks/events'
import * as texts from '@deeb/texts/webhooks'
import { useRef, useState } from 'react'
import { ShownOnceDialog } from '../account/ShownOnceDialog.tsx'
import { useSignInInfo } from '../account/sign-in-queries.ts'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { useProof } from '../account/use-proof.tsx'
import { Button } from '../ui/Button.tsx'
import { Explained } from '../ui/Explained.tsx'
import { LampPicture } from '../ui/pictures.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { WebhookDialog } from './WebhookDialog.tsx'
import { WebhookItem } from './WebhookItem.tsx'
import { useChangeWebhooks, useWebhooks } from './webhooks-queries.ts'

/** The addresses that deeb calls about the user's own focus: added, tested, changed and deleted here. */
export default function WebhooksSettings() {
  // `withProof` reads whether a proof is needed.
  useSignInInfo()
  const read = useWebhooks()
  const { add } = useChangeWebhooks()
  const { withProof, proofDialog } = useProof()
  const [isAdding, setIsAdding] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const webhooks = read.data?.webhooks ?? []
  const isOffered = read.data?.isOffered ?? true
  return (
    <Explained
      line={texts.intro()}
      picture={<LampPicture />}
      safe={[texts.whatIsSent(), texts.signed(), texts.alsoOff()]}
    >
      <div className="pt-1">
        <ListState read={read} />
        {isOffered ? null : <p className="mt-3 text-body">{texts.switchedOff()}</p>}
        {webhooks.length > 0 ? (
          <ul ref={list} aria-label={texts.title()} className="mt-5 border-t border-b border-line">
            {webhooks.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                withProof={withProof}
                open={openId === webhook.id}
                onToggle={() => setOpenId(openId === webhook.id ? null : webhook.id)}
                onSecret={setSecret}
              />
            ))}
          </ul>
        ) : null}
        {read.data && isOffered && webhooks.length < MAX_WEBHOOKS ? (
          <p className="mt-5">
            <Button
              kind={webhooks.length === 0 ? 'primary' : 'secondary'}
              size="list"
              onClick={() => setIsAdding(true)}
            >
              {texts.addWebhook()}
            </Button>
          </p>
        ) : null}
        {webhooks.length >= MAX_WEBHOOKS ? (
          <p className="mt-5 text-note text-soft">{texts.maximum({ count: MAX_WEBHOOKS })}</p>
        ) : null}
      </div>
      {isAdding ? (
        <WebhookDialog
          title={texts.addWebhook()}
          action={texts.add()}
          url=""
          events={WEBHOOK_EVENTS}
          onSave={async (input) => {
            const outcome = await withProof(() => add(input))
            if (typeof outcome !== 'object') return outcome
            setSecret(outcome.secret)
            return 'done'
          }}
          onClose={() => setIsAdding(false)}
        />
      ) : null}
      {proofDialog}
      {secret ? (
        <ShownOnceDialog
          title={texts.secretTitle()}
          description={texts.secretNote()}
          label={texts.secret()}
          value={secret}
          onClose={() => setSecret(null)}
        />
      ) : null}
    </Explained>
  )
}
