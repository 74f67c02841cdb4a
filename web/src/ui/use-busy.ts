import { useRef, useState } from 'react'

/**
 * Whether something is being worked on, and the way to begin it; a second beginning meanwhile is ignored. Not the state of
 * a mutation: of two presses in one moment, both were drawn before it changed.
 */
export function useBusy(): [busy: boolean, run: (work: () => Promise<unknown>) => Promise<void>] {
  const isBusy = useRef(false)
  const [busy, setBusy] = useState(false)
  function become(next: boolean): void {
    isBusy.current = next
    setBusy(next)
  }
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (isBusy.current) return
    become(true)
    try {
      await work()
    } finally {
      become(false)
    }
  }
  return [busy, run]
}
