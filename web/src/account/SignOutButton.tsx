import type { Session } from '@supabase/auth-js'
import { useState } from 'react'
import { isVerified, signOut, useAuthSession, useSignedInUserId } from '../auth-session.ts'
import { sendAll } from '../focus/queue/keep-sending.ts'
import { discardPending, pendingOf } from '../focus/queue/switch-queue.ts'
import { UnsentDialog } from '../focus/queue/UnsentDialog.tsx'
import { Button, type ButtonKind } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { forgetRevocation, revokeLater } from './revoke-later.ts'

/**
 * Ends the auth session of this device only; the route then leads to Sign In. Pending switches are sent first. If that fails,
 * a dialog asks whether to keep or discard them.
 */
export function SignOutButton({ kind = 'destructive', label = 'Sign Out' }: { kind?: ButtonKind; label?: string }) {
  const session = useAuthSession()
  const userId = useSignedInUserId() ?? ''
  const [busy, run, failure] = useBusy()
  const [unsent, setUnsent] = useState(0)

  async function leave(): Promise<void> {
    const { hasEnded, atServer } = await signOut()
    if (hasEnded) {
      // Offline, the server learns of the sign-out later.
      void import('../push/push.ts').then(({ unsubscribe }) => unsubscribe()).catch(() => undefined)
      showToast({ title: 'Signed out', tone: 'success' })
      void atServer.then((isDone) => (isDone ? forgetRevocation() : endAtServer(isVerified(session) ? session : null)))
    } else {
      showFailure('Failed to sign out. Please try again.')
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
        {busy ? 'Signing out...' : label}
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
  showFailure('The server could not be reached.', 'Signed out on this device only')
  if (await revokeLater(session)) {
    showToast({ title: 'Signed out', description: 'The server has ended that sign-in too.', tone: 'success' })
  }
}
