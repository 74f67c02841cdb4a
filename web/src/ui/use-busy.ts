import { useRef, useState } from 'react'

/**
 * Whether a task is running, and a function that runs one. Further calls are ignored until it ends. It uses a ref: two quick
 * presses would both see the state of a mutation from before the first.
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
