import { beginStatusLink, type StatusSystem } from '@deeb/core/status/api'
import { CHAT_SYSTEM_FACTS } from '@deeb/core/status/systems'
import { useId, useState } from 'react'
import type { WithProof } from '../account/use-proof.tsx'
import { ApiError, api } from '../api.ts'
import { IS_NATIVE } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showFailure } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { ChatSettings } from './ChatSettings.tsx'
import { ConnectByTokenDialog } from './ConnectByTokenDialog.tsx'

interface ChatSystemProps {
  chat: StatusSystem
  withProof: WithProof
}

/** One chat system: who sees what, and the button that connects it or its settings. */
export function ChatSystemSection({ chat, withProof }: ChatSystemProps) {
  const id = useId()
  const { name, whoSees, expires } = CHAT_SYSTEM_FACTS[chat.system]
  const { link, isOffered } = chat
  return (
    <section aria-labelledby={id} className="pt-8">
      <h2 id={id} className="text-heading">
        {name}
      </h2>
      {link?.isRefused ? (
        <p className="mt-1 text-body text-pretty">
          {name} has refused the connection, so your status there does not follow deeb mode any more.
        </p>
      ) : null}
      <p className="mt-1 text-body text-pretty text-soft">
        {whoSees}
        {expires
          ? null
          : ` ${name} ends no status by itself: while deeb's server is down, it stays until that is back.`}
      </p>
      {isOffered ? null : <p className="mt-1 text-body text-pretty">It is no longer offered here.</p>}
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
    return <p className="mt-3 text-body text-pretty">Open deeb in a browser to connect {name}.</p>
  }
  async function leaveForSystem(): Promise<'done' | 'failed' | 'proof needed'> {
    try {
      window.location.assign((await api(beginStatusLink, { system })).url)
      return 'done'
    } catch (error) {
      if (error instanceof ApiError && error.code === 'proof_needed') return 'proof needed'
      showFailure(`${name} could not be connected. Please try again.`)
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
          {link ? `Connect ${name} again` : `Connect ${name}`}
        </Button>
      </p>
      <FormError>{failure}</FormError>
      {isAsking && (system === 'mattermost' || system === 'zulip') ? (
        <ConnectByTokenDialog system={system} withProof={withProof} onClose={() => setIsAsking(false)} />
      ) : null}
    </>
  )
}
