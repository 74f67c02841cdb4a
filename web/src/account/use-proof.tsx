import type { SignInInfo } from '@deeb/core/account/api'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ProofDialog } from './ProofDialog.tsx'
import { isProven, SIGN_IN_KEY } from './sign-in-queries.ts'

/** Runs work that needs a recent re-authentication, and asks for one first if there is none. Undefined if its user cancels. */
export type WithProof = <Outcome>(work: () => Promise<Outcome | 'proof needed'>) => Promise<Outcome | undefined>

/**
 * A function that runs work with a proof, and the dialog that asks for it, to be rendered by the caller. One proof is enough for 15
 * minutes.
 */
export function useProof(): { withProof: WithProof; proofDialog: ReactNode } {
  const queryClient = useQueryClient()
  const [answer, setAnswer] = useState<{ resolve: (isProven: boolean) => void } | null>(null)
  const ask = () => new Promise<boolean>((resolve) => setAnswer({ resolve }))
  async function withProof<Outcome>(work: () => Promise<Outcome | 'proof needed'>): Promise<Outcome | undefined> {
    if (!isProven(queryClient.getQueryData<SignInInfo>(SIGN_IN_KEY)) && !(await ask())) return undefined
    const outcome = await work()
    if (outcome !== 'proof needed') return outcome
    // The cached time was outdated, as after the clock of this device was moved.
    if (!(await ask())) return undefined
    const second = await work()
    return second === 'proof needed' ? undefined : second
  }
  function close(isDone: boolean): void {
    setAnswer(null)
    answer?.resolve(isDone)
  }
  return { withProof, proofDialog: answer ? <ProofDialog onClose={close} /> : null }
}
