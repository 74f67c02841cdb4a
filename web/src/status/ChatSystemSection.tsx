import { beginStatusLink, type StatusSystem } from '@deeb/core/status/api'
import { CHAT_SYSTEM_FACTS, type ChatSystem } from '@deeb/core/status/systems'
import * as texts from '@deeb/texts/status'
import { useId, useState } from 'react'
import type { WithProof } from '../account/use-proof.tsx'
import { ApiError, api } from '../calls/api.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { ChatSettings } from './ChatSettings.tsx'
import { ConnectByTokenDialog } from './ConnectByTokenDialog.tsx'

const WHO_SEES: Readonly<Record<ChatSystem, () => string>> = {
  slack: texts.seenInSlack,
  microsoft: texts.seenInMicrosoft,
  google: texts.seenInGoogle,
  mattermost: texts.seenInMattermost,
  zulip: texts.seenInZulip,
}

interface ChatSystemProps {
  chat: StatusSystem
  withProof: WithProof
}

/** One chat system: who sees what, and the button that connects it or its settings. */
export function ChatSystemSection({ chat, withProof }: ChatSystemProps) {
  const id = useId()
  const { name, expires } = CHAT_SYSTEM_FACTS[chat.system]
  const { link, isOffered } = chat
  return (
    <section aria-labelledby={id} className="pt-8">
      <h2 id={id} className="text-heading">
        {name}
      </h2>
      {link?.isRefused ? <p className="mt-1 text-body text-pretty">{texts.refused({ name })}</p> : null}
      <p className="mt-1 text-body text-pretty text-soft">
        {expires ? WHO_SEES[chat.system]() : `${WHO_SEES[chat.system]()} ${texts.staysWhileDown({ name })}`}
      </p>
      {isOffered ? null : <p className="mt-1 text-body text-pretty">{texts.noLongerOffered()}</p>}
      {link && (!link.isRefused || !isOffered) ? <ChatSettings system={chat.system} link={link} /> : null}
      {isOffered && (!link || link.isRefused) ? <Connect chat={chat} withProof={withProof} /> : null}
    </section>
  )
}

function Connect({ chat: { system, link }, withProof }: ChatSystemProps) {
  const [busy, run, failure] = useBusy()
  const [isAsking, setIsAsking] = useState(false)
  const { name, linkedBy } = CHAT_SYSTEM_FACTS[system]
  if (IS_NATIVE && linkedBy === 'oauth') {
    return <p className="mt-3 text-body text-pretty">{texts.connectInBrowser({ name })}</p>
  }
  async function leaveForSystem(): Promise<'done' | 'failed' | 'proof needed'> {
    try {
      window.location.assign((await api(beginStatusLink, { system })).url)
      return 'done'
    } catch (error) {
      if (error instanceof ApiError && error.code === 'proof_needed') return 'proof needed'
      showFailure(texts.connectFailed({ name }))
      return 'failed'
    }
  }
  async function connect(): Promise<void> {
    if (linkedBy === 'token') setIsAsking(true)
    else await withProof(leaveForSystem)
  }
  return (
    <>
      <p className="mt-3">
        <Button kind="secondary" size="list" busy={busy} onClick={() => void run(connect)}>
          {link ? texts.connectAgain({ name }) : texts.connectTo({ name })}
        </Button>
      </p>
      <FormError>{failure}</FormError>
      {isAsking && (system === 'mattermost' || system === 'zulip') ? (
        <ConnectByTokenDialog system={system} withProof={withProof} onClose={() => setIsAsking(false)} />
      ) : null}
    </>
  )
}
