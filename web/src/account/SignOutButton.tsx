import * as texts from '@deeb/texts/settings'
import type { Session } from '@supabase/auth-js'
import { useState } from 'react'
import { sendAll } from '../focus/queue/keep-sending.ts'
import { discardPending, pendingOf } from '../focus/queue/switch-queue.ts'
import { UnsentDialog } from '../focus/queue/UnsentDialog.tsx'
import { isVerified, signOut, useAuthSession, useSignedInUserId } from '../session/auth-session.ts'
import { Button, type ButtonKind } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { forgetRevocation, revokeLater } from './revoke-later.ts'

/**
 * Ends the auth session of this device only; the route then leads to Sign In. Pending switches are sent first. If that fails,
 * a dialog asks whether to keep or discard them.
 */
export function SignOutButton({
  kind = 'destructive',
  label = texts.signOut(),
  onDone,
}: {
  kind?: ButtonKind
  label?: string
  onDone?: () => void
}) {
  const session = useAuthSession()
  const userId = useSignedInUserId() ?? ''
  const [busy, run, failure] = useBusy()
  const [unsent, setUnsent] = useState(0)

  async function leave(): Promise<void> {
    const { hasEnded, atServer } = await signOut()
    if (hasEnded) {
      onDone?.()
      // Offline, the server learns of the sign-out later.
      void import('../push/push.ts').then(({ unsubscribe }) => unsubscribe()).catch(() => undefined)
      showToast({ title: texts.signedOut(), tone: 'success' })
      void atServer.then((isDone) => (isDone ? forgetRevocation() : endAtServer(isVerified(session) ? session : null)))
    } else {
      showFailure(texts.signOutFailed())
    }
  }
  async function sendAndLeave(): Promise<void> {
    if (isVerified(session) && pendingOf(userId).length > 0) await sendAll(userId)
    const left = pendingOf(userId).length
    if (left === 0) return leave()
    setUnsent(left)
  }
  function answer(end: () => Promise<void>): Promise<void> {
    setUnsent(0)
    return run(end)
  }
  return (
    <>
      <FormError>{failure}</FormError>
      <Button kind={kind} busy={busy} onClick={() => void run(sendAndLeave)}>
        {busy ? texts.signingOut() : label}
      </Button>
      {unsent > 0 ? (
        <UnsentDialog
          count={unsent}
          onKeep={() => void answer(leave)}
          onDiscard={() => void answer(() => discardPending(userId).then(leave))}
          onClose={() => setUnsent(0)}
        />
      ) : null}
    </>
  )
}

/** Tells the user that the server did not answer, retries, and tells the outcome. Sign In shows it too (RevocationNote). */
async function endAtServer(session: Session | null): Promise<void> {
  showFailure(texts.serverNotReached(), texts.signedOutHereOnly())
  if (await revokeLater(session)) {
    showToast({ title: texts.signedOut(), description: texts.endedAtServer(), tone: 'success' })
  }
}
