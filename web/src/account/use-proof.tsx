import { type ReactNode, useState } from 'react'
import { ProofDialog } from './ProofDialog.tsx'

/** Runs work that needs a recent re-authentication; without one, asks for it and runs the work again. Undefined if the user cancels. */
export type WithProof = <Outcome>(work: () => Promise<Outcome | 'proof needed'>) => Promise<Outcome | undefined>

/**
 * A function that runs work with a proof, and the dialog that asks for it, to be rendered by the caller. One proof is enough for 15
 * minutes.
 */
export function useProof(): { withProof: WithProof; proofDialog: ReactNode } {
  const [answer, setAnswer] = useState<{ resolve: (isProven: boolean) => void } | null>(null)
  const ask = () => new Promise<boolean>((resolve) => setAnswer({ resolve }))
  async function withProof<Outcome>(work: () => Promise<Outcome | 'proof needed'>): Promise<Outcome | undefined> {
    const outcome = await work()
    if (outcome !== 'proof needed') return outcome
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
